// SPDX-License-Identifier: MIT
// Numbers of things: "1 test", "2 tests".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weakspot::base {

// The word alone, for a number that stands elsewhere or is written in another way. `several` is needed where the plural
// is not the word and an s.
std::string plural(std::uint64_t count, std::string_view word, std::string_view several = {});

// The number and the word.
std::string counted(std::uint64_t count, std::string_view word, std::string_view several = {});

}  // namespace weakspot::base

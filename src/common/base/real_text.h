// SPDX-License-Identifier: MIT
// Real numbers in texts, whatever the language of the machine.
#pragma once

#include <optional>
#include <string_view>

namespace weakspot::base {

// The double that is nearest to a decimal number such as "-1.5e3". The whole text must be one; nothing if it is too
// large or too small.
std::optional<double> read_real(std::string_view text);

}  // namespace weakspot::base

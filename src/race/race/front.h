// SPDX-License-Identifier: MIT
// The compilers that can make the device part of a CUDA file: clang, which weakspot-race has in itself, and the nvcc of
// a CUDA toolkit, whose PTX is translated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weakspot::race {

// The compiler that is asked for. Automatic: clang, and nvcc where clang fails and nvcc is installed.
enum class Front : std::uint8_t { automatic, clang, nvcc };

std::string_view front_word(Front front);
std::optional<Front> parse_front(std::string_view word);

// The compiler that made the device part.
enum class FrontUsed : std::uint8_t {
  clang,
  nvcc,
  nvcc_instead,  // of clang, which had failed
};

}  // namespace weakspot::race

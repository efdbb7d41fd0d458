// SPDX-License-Identifier: MIT
// The numbers of PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weakspot::race::ptx {

struct Number {
  std::uint64_t value = 0;  // of a real number its bits
  bool real = false;
  unsigned bits = 0;  // of a real number that is written as its bits: 32 or 64; otherwise it is a double
};

// 12, 017, 0x1fU, 0b101, 0f3f800000, 0d3ff0000000000000, 1.5e3; nothing if the word is not a number.
std::optional<Number> parse_number(std::string_view word);

}  // namespace weakspot::race::ptx

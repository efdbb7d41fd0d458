// SPDX-License-Identifier: MIT
#include "base/real_text.h"

#include <charconv>

namespace weakspot::base {

std::optional<double> read_real(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
// The C++ library for WebAssembly reads no doubles with from_chars; its C library knows one language only.
#include "base/real_text.h"

#include <cmath>
#include <cstdlib>
#include <string>

namespace weakspot::base {

std::optional<double> read_real(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size() || !std::isfinite(number)) return std::nullopt;
  const std::string_view digits = text.substr(0, text.find_first_of("eE"));
  if (number == 0 && digits.find_first_of("123456789") != std::string_view::npos) return std::nullopt;
  return number;
}

}  // namespace weakspot::base

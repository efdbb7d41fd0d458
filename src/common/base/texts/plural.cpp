// SPDX-License-Identifier: MIT
#include "base/plural.h"

namespace weakspot::base {

std::string plural(std::uint64_t count, std::string_view word, std::string_view several) {
  if (count == 1) return std::string(word);
  return several.empty() ? std::string(word) + "s" : std::string(several);
}

std::string counted(std::uint64_t count, std::string_view word, std::string_view several) {
  return std::to_string(count) + " " + plural(count, word, several);
}

}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
#include "race/not_modelled.h"

namespace weakspot::race {

std::string_view effect_text(Effect effect) {
  static constexpr std::string_view kTexts[] = {
      "has no effect",
      "taken as stronger than it is",
      "belongs to asynchronous accesses, which are not seen",
      "orders overlapping grids",
      "the call fails here",
      "its result is taken as 0",
      "its accesses to memory are not seen",
      "may order accesses",
      "its meaning is not known",
  };
  return kTexts[static_cast<std::size_t>(effect)];
}

}  // namespace weakspot::race

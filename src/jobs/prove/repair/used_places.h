// SPDX-License-Identifier: MIT
// Places of a source with the accesses and fences that the threads of a launch have there.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "prove/repair/forms.h"
#include "residual/residual.h"

namespace weakspot::prove {

struct UsedPlace {
  std::size_t offset = 0;  // in the text
  unsigned line = 0;
  bool access = false, fence = false, barrier = false;
};

struct UsedPlaces {
  std::vector<UsedPlace> all;          // of this file, by offset
  std::vector<std::string> elsewhere;  // fences and strong accesses of other files
  std::vector<WordScope> scopes;       // those that tell the launch's threads apart
};

UsedPlaces used_places(const residual::Residual& residual, const std::string& file, std::string_view text);

}  // namespace weakspot::prove

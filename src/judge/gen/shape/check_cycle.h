// SPDX-License-Identifier: MIT
// Checks whether a cycle is the shape of any test.
#pragma once

#include <string>
#include <vector>

#include "gen/cycle.h"

namespace weakspot::gen {

// Why it is not: directions that do not meet, a location that changes once and never back, threads that would be both
// in one workgroup and in two, ...
struct CycleMistake {
  std::size_t step = 0;
  std::string message;
};
std::vector<CycleMistake> check(const Cycle& cycle);

}  // namespace weakspot::gen

// Whether a cycle is the shape of a test.
#pragma once

#include <string>
#include <vector>

#include "gen/cycle.h"

namespace weakspot::gen {

// Why a cycle is not the shape of any test: directions that do not meet, a location that changes once and never back,
// threads that would be in one workgroup and in two, ...
struct CycleMistake {
  std::size_t step = 0;
  std::string message;
};
std::vector<CycleMistake> check(const Cycle& cycle);

}  // namespace weakspot::gen

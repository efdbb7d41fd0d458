// SPDX-License-Identifier: MIT
// The values that the observed items of a test can end with: an over-approximation that considers all instructions in
// any order. A device may still produce another value, and users must have a place for it.
#pragma once

#include <vector>

#include "litmus/test.h"

namespace weakspot::codegen {

struct PossibleValues {
  bool any = false;                   // too many or unknown; `values` is then empty
  std::vector<litmus::Value> values;  // sorted

  friend bool operator==(const PossibleValues&, const PossibleValues&) = default;
};

// One per item of test.observed().
std::vector<PossibleValues> possible_values(const litmus::LitmusTest& test);

}  // namespace weakspot::codegen

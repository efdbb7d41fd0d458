// SPDX-License-Identifier: MIT
// Finds the equalities among its arguments and the launch that a kernel asserts.
#pragma once

#include <llvm/IR/Function.h>

#include <utility>
#include <vector>

#include "race/inputs.h"

namespace weakspot::race_jit {

// assert(n == blockDim.x * 4 && m == n). Special registers must not be lowered yet.
std::vector<std::pair<race::Term, race::Term>> asserted_equalities(const llvm::Function& kernel);

}  // namespace weakspot::race_jit

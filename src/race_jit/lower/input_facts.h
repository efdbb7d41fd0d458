// SPDX-License-Identifier: MIT
// What a kernel's code tells about inputs worth trying, and marks in it that show which branches were taken.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

#include "race/inputs.h"

namespace weakspot::race_jit {

// The kernel's calls must be inlined already, and its special registers not lowered yet. The caller fills in the names
// and types of parameters.
race::KernelFacts input_facts(const llvm::Function& kernel);

// The targets of conditional branches: blocks that are not always reached.
std::vector<llvm::BasicBlock*> branch_targets(llvm::Function& kernel);
// Each block sets its byte of ThreadContext::marks when it is reached, in this order.
void mark_branches(const std::vector<llvm::BasicBlock*>& blocks);

}  // namespace weakspot::race_jit

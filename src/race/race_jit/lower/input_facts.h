// SPDX-License-Identifier: MIT
// Reads from a kernel's code which inputs are worth trying, and adds marks to it that show which branches were taken.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

#include "race/inputs.h"

namespace weakspot::race_jit {

// The kernel's calls must be inlined already, and its special registers not lowered yet. The caller fills in the names
// and types of parameters.
race::KernelFacts input_facts(const llvm::Function& kernel);

// A place in the code whose byte of ThreadContext::marks is set when a thread comes there. Where `header` is that of a
// loop there are two bytes, for the first round and for all others.
struct Mark {
  llvm::BasicBlock* block = nullptr;
  llvm::BasicBlock* header = nullptr;

  std::size_t size() const { return header == nullptr ? 1 : 2; }
};

// The targets of conditional branches: blocks that are not always reached.
std::vector<Mark> branch_marks(llvm::Function& kernel);
// The loops.
std::vector<Mark> loop_marks(llvm::Function& kernel);
// Adds the code that sets the bytes, which follow each other in the order of the marks. Those of a function stand
// together.
void set_marks(const std::vector<Mark>& marks);

}  // namespace weakspot::race_jit

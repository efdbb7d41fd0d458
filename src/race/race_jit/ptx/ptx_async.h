// SPDX-License-Identifier: MIT
// The instructions of PTX about asynchronous copies, mbarriers and the async proxy.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "race_jit/ptx/inline_ptx.h"
#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// The tools for the lowering of one instruction.
struct PtxAsync {
  PtxBuilder& builder;
  // An operand as a value of that type; null if it is not one.
  std::function<llvm::Value*(std::size_t, llvm::Type*)> value;
  std::function<llvm::Value*(const PtxOperand&, llvm::Type*)> operand;
  std::function<bool(std::size_t, llvm::Value*)> assign;
  std::function<bool(const PtxOperand&, llvm::Value*)> assign_to;
  // A call of a function of the machine; null if an argument is.
  std::function<llvm::Value*(const char*, llvm::Type*, std::vector<llvm::Value*>)> hook;
};

bool is_ptx_async(const PtxInstruction& instruction);
// False if it is not one that is modelled.
bool lower_ptx_async(const PtxInstruction& instruction, const PtxAsync& with);

// A loop around a wait at an mbarrier, with labels and branches, as one instruction that waits: "mbarrier.try_wait"
// with the word "blocking". Any other text stays as it is.
std::string without_wait_loop(std::string_view text);

}  // namespace weakspot::race_jit

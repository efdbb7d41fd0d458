// SPDX-License-Identifier: MIT
// The part of a lowering that families of instructions in files of their own need.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// The tools for the lowering of one instruction.
struct PtxTools {
  PtxBuilder& builder;
  // An operand as a value of that type; null if it is not one.
  std::function<llvm::Value*(std::size_t, llvm::Type*)> value;
  std::function<llvm::Value*(const PtxOperand&, llvm::Type*)> operand;
  std::function<bool(std::size_t, llvm::Value*)> assign;
  std::function<bool(const PtxOperand&, llvm::Value*)> assign_to;
  std::function<llvm::Value*()> lane;  // the thread's own
  // A call of a function of the machine; null if an argument is.
  std::function<llvm::Value*(const char*, llvm::Type*, std::vector<llvm::Value*>)> hook;
};

}  // namespace weakspot::race_jit

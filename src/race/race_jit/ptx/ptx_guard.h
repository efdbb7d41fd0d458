// SPDX-License-Identifier: MIT
// A guarded instruction of inline PTX, "@p st.global.u32 [a], x": what runs only where a predicate holds.
#pragma once

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

class PtxGuard {
 public:
  // With a branch, the builder goes on inside of it. What only computes needs none.
  PtxGuard(PtxBuilder& builder, llvm::CallInst& call, llvm::Value* holds, bool branches);

  // Moves the builder to the place where values of before the instruction are converted.
  void go_before();
  // The builder goes on behind the instruction.
  void leave();
  // The value `made` if the guard holds, otherwise `before`, which has the same type.
  llvm::Value* either(llvm::Value* made, llvm::Value* before);

 private:
  PtxBuilder& builder_;
  llvm::CallInst& call_;
  llvm::Value* holds_;
  llvm::BasicBlock* outside_ = nullptr;
  llvm::BasicBlock* inside_ = nullptr;
};

}  // namespace weakspot::race_jit

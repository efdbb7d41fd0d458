// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_guard.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace weakspot::race_jit {

PtxGuard::PtxGuard(PtxBuilder& builder, llvm::CallInst& call, llvm::Value* holds, bool branches)
    : builder_(builder), call_(call), holds_(holds) {
  if (!branches) return;
  outside_ = call.getParent();
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(holds, &call, /*Unreachable=*/false);
  inside_ = end->getParent();
  builder_.SetInsertPoint(end);
  builder_.SetCurrentDebugLocation(call.getDebugLoc());
}

void PtxGuard::go_before() {
  if (outside_ == nullptr) return;
  builder_.SetInsertPoint(outside_->getTerminator());
  builder_.SetCurrentDebugLocation(call_.getDebugLoc());
}

void PtxGuard::leave() { builder_.SetInsertPoint(&call_); }

llvm::Value* PtxGuard::either(llvm::Value* made, llvm::Value* before) {
  if (inside_ == nullptr) return builder_.CreateSelect(holds_, made, before);
  llvm::PHINode* result = builder_.CreatePHI(made->getType(), 2);
  result->addIncoming(made, inside_);
  result->addIncoming(before, outside_);
  return result;
}

}  // namespace weakspot::race_jit

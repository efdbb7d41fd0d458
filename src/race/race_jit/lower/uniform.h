// SPDX-License-Identifier: MIT
// Tells where all threads of a block, or all lanes of a warp, come by together, so that a barrier may stand there.
//
// A branch whose condition depends on the thread parts them until its sides come together again. The answer is
// cautious: whatever another thread may have written parts them as well, unless all read it from one address.
#pragma once

#include <llvm/IR/Function.h>

#include <unordered_set>

namespace weakspot::race_jit {

// The basic blocks that only some threads may reach, or at different times. Operations are calls of hooks by now.
// `of_warp`: some lanes of a warp, whose threads differ in threadIdx.x alone.
std::unordered_set<const llvm::BasicBlock*> parted_blocks(llvm::Function& function, bool of_warp);

}  // namespace weakspot::race_jit

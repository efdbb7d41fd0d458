// SPDX-License-Identifier: MIT
// Loads through the read-only path, ld.global.nc: the hardware may take them from a cache that no other thread's stores
// reach, whatever orders them.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace weakspot::race_jit {

inline void mark_read_only(llvm::LoadInst& load) {
  load.setMetadata("weakspot.nc", llvm::MDNode::get(load.getContext(), {}));
}
inline bool is_read_only(const llvm::Instruction& load) { return load.hasMetadata("weakspot.nc"); }

}  // namespace weakspot::race_jit

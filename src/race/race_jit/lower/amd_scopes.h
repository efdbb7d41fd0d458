// SPDX-License-Identifier: MIT
// The synchronisation scopes of AMD's target in LLVM, "agent" or "workgroup-one-as", as those of hook_numbers.h.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/LLVMContext.h>

#include <optional>

namespace weakspot::race_jit {

// The number of the scope; none for those within a wave, for which there is no number.
std::optional<int> amd_scope(llvm::LLVMContext& context, llvm::SyncScope::ID scope);
bool is_of_block(llvm::LLVMContext& context, llvm::SyncScope::ID scope);
bool is_of_wave(llvm::LLVMContext& context, llvm::SyncScope::ID scope);
// The memory that the fence orders, by its address spaces (!mmra "amdgpu-as"): a FencedMemory; none for spaces that no
// other thread reaches.
std::optional<int> fenced_memory(const llvm::Instruction& fence);

}  // namespace weakspot::race_jit

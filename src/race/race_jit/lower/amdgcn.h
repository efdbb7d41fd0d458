// SPDX-License-Identifier: MIT
// Modules that clang compiled for AMD's GPUs (triple amdgcn). Their kernels, registers, private memory and barriers
// take the form that modules for NVIDIA's GPUs have, so that all that follows knows one form. What has no such form,
// scopes of fences and atomics and operations of waves, is lowered by lower_amd.cpp.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace weakspot::race_jit {

// True for code of AMD's target; adopt_amdgcn() notes it for later.
bool is_amdgcn(const llvm::Module& module);
// Lanes of a wave, 64 or 32: by the target features of its functions, which adopt_amdgcn() notes. 32 for other modules.
unsigned wave_noted(const llvm::Module& module);

// Before functions are inlined, and once the module has the layout of this machine: private memory is in address space
// 0, kernels are marked as NVIDIA's are, and registers have their names.
void adopt_amdgcn(llvm::Module& module);
// Once functions are inlined: a barrier between a release and an acquire of the block becomes __syncthreads(). The
// others order nothing. The same for the lanes of a wave, whose barrier then has_fences().
void join_fences_with_barriers(llvm::Module& module);
bool has_fences(const llvm::CallInst& wave_barrier);

}  // namespace weakspot::race_jit

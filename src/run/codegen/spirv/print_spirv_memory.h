// SPDX-License-Identifier: MIT
// Orders and scopes as SPIR-V's memory semantics, for the Vulkan memory model.
#pragma once

#include "codegen/kernel/kernel.h"
#include "codegen/spirv/spirv_words.h"

namespace weakspot::codegen {

// `system` becomes the device, since all threads of a run are on one; `thread` becomes the subgroup.
spv::Scope spirv_scope(litmus::Scope scope);

// The masks of atomic accesses: a load cannot release, nor a store acquire. Order seq_cst has no mask.
spv::MemorySemanticsMask load_semantics(const MemoryAccess& access);
spv::MemorySemanticsMask store_semantics(const MemoryAccess& access);
spv::MemorySemanticsMask rmw_semantics(const MemoryAccess& access);
// The mask of a failed compare-and-swap, which writes nothing.
spv::MemorySemanticsMask failure_semantics(const MemoryAccess& access);
// MaskNone for a fence that orders nothing.
spv::MemorySemanticsMask fence_semantics(const FenceOf& fence);
// Unless the test says otherwise, all that the workgroup did before the barrier, in any memory, is visible after it.
spv::MemorySemanticsMask barrier_semantics(const BarrierOf& barrier);

// The memory operands of a plain access, without the words that follow the mask.
spv::MemoryAccessMask load_operands(const MemoryAccess& access);
spv::MemoryAccessMask store_operands(const MemoryAccess& access);

// True if the access is an atomic instruction in SPIR-V. Volatile accesses come from PTX; those of 32 bits or
// more are relaxed atomics.
bool is_atomic(const MemoryAccess& access);

spv::Op atomic_opcode(litmus::RmwOp op, litmus::Type type);

}  // namespace weakspot::codegen

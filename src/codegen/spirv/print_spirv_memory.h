// Orders and scopes as SPIR-V's memory semantics, for the Vulkan memory model.
#pragma once

#include <cstdint>

#include "codegen/kernel/kernel.h"
#include "codegen/spirv/spirv_words.h"

namespace weakspot::codegen {

// `system` is the device here, since all threads of a run are on one; `thread` is widened to the subgroup.
spirv::MemoryScope spirv_scope(litmus::Scope scope);

// The masks of atomic accesses: a load cannot release, nor a store acquire. Order seq_cst has no mask.
std::uint32_t load_semantics(const MemoryAccess& access);
std::uint32_t store_semantics(const MemoryAccess& access);
std::uint32_t rmw_semantics(const MemoryAccess& access);
// Of a compare-and-swap that fails: it writes nothing.
std::uint32_t failure_semantics(const MemoryAccess& access);
// 0 for a fence that orders nothing.
std::uint32_t fence_semantics(const FenceOf& fence);
// Without words of the test's own: all that the workgroup did before the barrier, in any memory, is seen after it.
std::uint32_t barrier_semantics(const BarrierOf& barrier);

// The memory operands of a plain access, without what follows the mask.
std::uint32_t load_operands(const MemoryAccess& access);
std::uint32_t store_operands(const MemoryAccess& access);

// Whether the access is one of SPIR-V's atomic instructions. Volatile accesses are PTX's: relaxed, and done as written.
bool is_atomic(const MemoryAccess& access);

spirv::OpCode atomic_opcode(litmus::RmwOp op, litmus::Type type);

}  // namespace weakspot::codegen

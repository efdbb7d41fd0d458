// The instructions of PTX that reach or order memory, up to their operands: what an access, a fence or a
// read-modify-write is called there. Used for PTX itself and for PTX inside of other languages.
#pragma once

#include <string>

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// "ld.acquire.gpu.global.b32"
std::string ptx_load(const MemoryAccess& access);
std::string ptx_store(const MemoryAccess& access);
// "atom.relaxed.cta.shared.add.u32"; the operand of a subtraction is to be negated.
std::string ptx_atomic(litmus::RmwOp op, const MemoryAccess& access);
// A sequentially consistent access is a fence.sc and then the strongest access there is; empty for others.
std::string ptx_fence_before(const MemoryAccess& access);
// Empty if it orders nothing.
std::string ptx_fence(const litmus::Fence& fence);

}  // namespace weakspot::codegen

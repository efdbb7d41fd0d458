// SPDX-License-Identifier: MIT
// The PTX instructions that access or order memory, without their operands: for PTX itself and for PTX inside other
// languages.
#pragma once

#include <string>

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// "ld.acquire.gpu.global.b32"
std::string ptx_load(const MemoryAccess& access);
// "ld.const.b32"
std::string ptx_constant_load(const MemoryAccess& access);
std::string ptx_store(const MemoryAccess& access);
// "atom.relaxed.cta.shared.add.u32"; the caller negates the operand of a subtraction.
std::string ptx_atomic(litmus::RmwOp op, const MemoryAccess& access);
// A sequentially consistent access is a fence.sc followed by the strongest access that PTX has; empty for others.
std::string ptx_fence_before(const MemoryAccess& access);
// Empty if the fence orders nothing.
std::string ptx_fence(const litmus::Fence& fence);

}  // namespace weakspot::codegen

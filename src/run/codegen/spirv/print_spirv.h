// SPDX-License-Identifier: MIT
// Kernels as SPIR-V for Vulkan, in the Vulkan memory model.
//
// Buffers are accessed by address (PhysicalStorageBuffer); the push constants hold the addresses as 64-bit numbers in
// the order of KernelModule::buffers. Orders and scopes become memory semantics one to one. An acquire also makes
// visible, a release makes available, and plain accesses are non-private, so that they are ordered as in PTX and C. The
// Vulkan memory model has no sequential consistency: support_spirv.cpp refuses it.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

std::vector<std::uint32_t> print_spirv(const KernelModule& module);

// The same with buffers of 32-bit words that a descriptor set binds: buffer N is binding N of set 0. For hosts that
// cannot pass addresses. Every access has 32 bits, at an address that is a buffer plus multiples of 4.
std::vector<std::uint32_t> print_bound_spirv(const KernelModule& module);

}  // namespace weakspot::codegen

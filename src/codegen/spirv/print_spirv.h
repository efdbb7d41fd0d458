// Kernels as SPIR-V for Vulkan, in the Vulkan memory model.
//
// Buffers are reached by their addresses (PhysicalStorageBuffer), which stand in the push constants as 64-bit numbers
// in the order of KernelModule::buffers. Orders and scopes become memory semantics one to one; an acquire also makes
// visible and a release makes available, and plain accesses are non-private, so that they are ordered as PTX and C
// order them. Sequential consistency does not exist there: support.cpp refuses it.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

std::vector<std::uint32_t> print_spirv(const KernelModule& module);

}  // namespace weakspot::codegen

// Kernels as WGSL, WebGPU's shading language. Every buffer is an array of words, bound at its number in group 0; it is
// an array of atomics if any kernel of the module reaches it by one, and read-only if none writes it. There are no
// pointers and no numbers of 64 bits: an address is the offset in its buffer, and a counter of 64 bits is two words.
#pragma once

#include <string>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// What every WebGPU device has.
TargetLimits webgpu_limits();

// What the kernels use must be there: support.h has checked it.
std::string print_wgsl(const KernelModule& module);

}  // namespace weakspot::codegen

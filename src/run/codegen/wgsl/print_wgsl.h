// SPDX-License-Identifier: MIT
// Kernels as WGSL, WebGPU's shading language. Every buffer is an array of words, bound at its number in group 0. It is
// an array of atomics if any kernel of the module accesses it atomically, and read-only if no kernel writes it. WGSL
// has no pointers and no 64-bit numbers: an address is an offset in its buffer, and a 64-bit counter is two words.
#pragma once

#include <string>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// WGSL must have all that the kernels use: support.h checks tests for that.
std::string print_wgsl(const KernelModule& module, std::vector<CodeLine>* lines = nullptr);

}  // namespace weakspot::codegen

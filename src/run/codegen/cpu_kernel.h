// SPDX-License-Identifier: MIT
// Kernels as machine code, for programs on a CPU that are not litmus tests. A workgroup is one pinned thread.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpu_code.h"

namespace weakspot::codegen {

// The first argument of a function points to words of 64 bits: their own address, the number of the workgroup, the
// address of each buffer, then room for `slots` variables.
inline constexpr std::uint32_t kCpuKernelHead = 2;

struct CpuKernel {
  CpuCode code;
  std::uint32_t slots = 0;
};

// The kernels of a program, one per entry.
struct CpuKernels {
  CpuIsa isa = kNativeIsa;
  std::uint32_t buffers = 0;
  std::vector<CpuKernel> kernels;
};

}  // namespace weakspot::codegen

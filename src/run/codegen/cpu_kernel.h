// SPDX-License-Identifier: MIT
// Kernels as machine code: what a CPU runs that is not a litmus test. A workgroup is one pinned thread.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpu_code.h"

namespace weakspot::codegen {

// What a function finds at its first argument, in words of 64 bits: its own address, the number of the workgroup, the
// address of each buffer, then room for `slots` variables.
inline constexpr std::uint32_t kCpuKernelHead = 2;

struct CpuKernel {
  CpuCode code;
  std::uint32_t slots = 0;
};

// One per entry of the program.
struct CpuKernels {
  CpuIsa isa = kNativeIsa;
  std::uint32_t buffers = 0;
  std::vector<CpuKernel> kernels;
};

}  // namespace weakspot::codegen

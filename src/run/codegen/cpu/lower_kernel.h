// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "codegen/cpu_kernel.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// Kernels of one thread per workgroup, without barriers, shared memory and division. Accesses and fences become the
// same instructions as those of tests.
CpuKernels lower_kernels(const KernelModule& module, const CpuFeatures& features);

}  // namespace weakspot::codegen

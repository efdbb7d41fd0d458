// SPDX-License-Identifier: MIT
// Runs kernels of machine code: a pinned thread per workgroup.
#pragma once

#include <memory>
#include <vector>

#include "backend/cpu/cpu_assemble.h"
#include "backend/device.h"
#include "codegen/cpu_kernel.h"

namespace weakspot::backend {

// `functions` are the kernels of the program, in order.
std::unique_ptr<LoadedProgram> load_cpu_kernels(std::shared_ptr<const codegen::CpuKernels> program,
                                                std::unique_ptr<CpuFunctions> functions, std::vector<int> cores);

}  // namespace weakspot::backend

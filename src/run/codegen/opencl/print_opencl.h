// SPDX-License-Identifier: MIT
// Kernels as OpenCL C 3.0. Addresses are 64-bit numbers, cast to pointers for each access. Accesses that are not plain
// go through a pointer to volatile, so that compilers neither join nor drop them; plain ones may be optimised as the
// language allows.
#pragma once

#include <string>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// The device must have all that the kernels use: support.h checks tests for that.
std::string print_opencl(const KernelModule& module, const OpenclLimits& limits,
                         std::vector<CodeLine>* lines = nullptr);

}  // namespace weakspot::codegen

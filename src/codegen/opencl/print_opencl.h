// Kernels as OpenCL C 3.0. Addresses are 64-bit numbers, cast to pointers where memory is reached. Every access that is
// not plain goes through a pointer to volatile, so that a compiler neither joins nor drops any; plain ones are plain,
// and compilers may do with them what the language lets them do.
#pragma once

#include <string>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// What the kernels use must be there: support.h has checked it.
std::string print_opencl(const KernelModule& module, const OpenclLimits& limits);

}  // namespace weakspot::codegen

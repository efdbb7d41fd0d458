// SPDX-License-Identifier: MIT
// Kernels printed for a target.
#pragma once

#include "codegen/device_program.h"

namespace weakspot::codegen {

struct KernelModule;  // kernel/kernel.h

// The program of these kernels; not for CPUs, whose programs are made of machine code.
DeviceProgram print_kernels(const KernelModule& kernels, Target target, const TargetLimits& limits);

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
// A test with threads on a CPU and on a GPU, as a program for both.
#pragma once

#include "base/result.h"
#include "codegen/harness/harness.h"
#include "codegen/kernel/kernel.h"
#include "codegen/mixed_program.h"
#include "codegen/planned_run.h"

namespace weakspot::codegen {

// The layout and the CPU's code. Fails as build_cpu_program() does.
base::Result<MixedProgram> build_mixed(const Harness& harness, const CpuFeatures& features);

// The kernel for the GPU's roles. It has the buffers of all programs: control, memory, results and progress as there,
// and the words of a meeting in `sync`.
KernelModule mixed_kernels(const Harness& harness, const MixedProgram& program);

// Fails if the memory of a round is more than the options allow.
base::Result<PlannedRun> plan_mixed(const Harness& harness, const MixedProgram& program, const PlanOptions& options);

}  // namespace weakspot::codegen

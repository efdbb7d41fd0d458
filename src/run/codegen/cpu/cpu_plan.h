// SPDX-License-Identifier: MIT
// Runs on a CPU: how many teams of workers there are, and the buffers they work on.
#pragma once

#include "base/result.h"
#include "codegen/cpu_program.h"
#include "codegen/harness/harness.h"
#include "codegen/planned_run.h"

namespace weakspot::codegen {

// `options.resident_workgroups` is the number of cores.
base::Result<PlannedRun> plan_cpu(const Harness& harness, const CpuProgram& program, const PlanOptions& options);

}  // namespace weakspot::codegen

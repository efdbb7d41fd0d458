// Runs on a CPU: how many teams of workers there are, and the buffers they work on.
#pragma once

#include "codegen/cpu_program.h"
#include "codegen/test_program.h"

namespace weakspot::codegen {

// The roles of a CPU's harness: an iteration of a team is one "workgroup" of instances.
RolePlan cpu_roles(const litmus::LitmusTest& test, const TestEnvironment& environment);

// `options.resident_workgroups` are the cores.
base::Result<PlannedRun> plan_cpu(const Harness& harness, const CpuProgram& program, const PlanOptions& options);

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
// Launches: how many workgroups and iterations, the buffers, and the words that tell the kernels about them.
#pragma once

#include "base/result.h"
#include "codegen/harness/harness.h"
#include "codegen/planned_run.h"

namespace weakspot::codegen {

// The launch of an IteratedRun or a GridRun. Fails if not even one iteration fits into the memory.
base::Result<PlannedRun> plan_launch(const Harness& harness, const PlanOptions& options);

// Begins a launch for a GPU or a CPU: the control words, all zero, and the buffers for the plan, stress and outcomes.
// The other buffers are left empty.
Launch begin_launch(const Harness& harness, const PlanShape& shape, const PlanOptions& options);

}  // namespace weakspot::codegen

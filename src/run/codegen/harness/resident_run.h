// SPDX-License-Identifier: MIT
// The kernel of a resident test (resident_layout.h), and its launch.
#pragma once

#include "codegen/harness/harness.h"
#include "codegen/planned_run.h"

namespace weakspot::codegen {

Kernel build_resident_run(const Harness& harness);

base::Result<PlannedRun> plan_resident(const Harness& harness, const PlanOptions& options);

}  // namespace weakspot::codegen

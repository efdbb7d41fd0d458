// SPDX-License-Identifier: MIT
// Stress: threads that keep the memory system busy during or before the test. The plan says which words they touch and
// how; the host drew it for each iteration.
#pragma once

#include "codegen/harness/harness_parts.h"

namespace weakspot::codegen {

// The plan's row of an iteration, in variables.
struct PlanRow {
  Var row;    // its first word in the plan buffer
  Var flags;  // PlanFlag
};

PlanRow read_plan_row(KernelBuilder& b, const Expr& iteration);

// One call of memory stress by a workgroup that is not testing, if the row says so.
void write_stress_call(KernelBuilder& b, const Harness& harness, const PlanRow& row, Var local, Var workgroup);
// Repeated calls until the testing workgroups are done.
void write_stress_until_done(KernelBuilder& b, const Harness& harness, Var local, Var workgroup, Var testing);
// Stress by a testing thread before its roles, if the row says so.
void write_pre_stress(KernelBuilder& b, const Harness& harness, const PlanRow& row, Var local, Var workgroup);

}  // namespace weakspot::codegen

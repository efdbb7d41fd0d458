// SPDX-License-Identifier: MIT
// Which tests a target can run: a test that it cannot express is refused, with the reason, before any code is written.
#pragma once

#include "base/result.h"
#include "codegen/device_program.h"
#include "litmus/test.h"

namespace weakspot::codegen {

base::Status check_runnable(const litmus::LitmusTest& test, Target target, const TargetLimits& limits);

// The test with 64-bit locations and registers in place of 32-bit ones; fails where that changes what it asks.
base::Result<litmus::LitmusTest> widened(litmus::LitmusTest test);

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
// Refuses tests that a target cannot express, with the reason, before any code is written.
#pragma once

#include <string>

#include "base/result.h"
#include "codegen/device_program.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// Refuses: "MP: cannot run: REASON". `with` is the setting that is in the way, "weaken=scope".
base::Diagnostic cannot_run(const litmus::LitmusTest& test, std::string reason, std::string with = {});

base::Status check_runnable(const litmus::LitmusTest& test, Target target, const TargetLimits& limits);

// The test with 64-bit locations and registers in place of 32-bit ones; fails where that changes what it asks.
base::Result<litmus::LitmusTest> widened(litmus::LitmusTest test);

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
// Programs and launches for WebGPU as JSON, and the words that come back. A browser gets them from the core that runs
// in it or from the program that started it. docs/webgpu.md describes the forms.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"
#include "codegen/test_program.h"
#include "json/json_fields.h"

namespace weakspot::codegen {

// Which lines of the text are code of which instruction: "line" from 1, "thread", "instruction" from 0.
base::JsonValue lines_json(const DeviceProgram& program);

// The target must be WGSL. The second form adds which entry runs the test.
base::JsonValue to_json(const DeviceProgram& program);
base::JsonValue to_json(const TestProgram& program);

base::JsonValue to_json(const Launch& launch);
// The launch, and the numbers that progress and the next plan need.
base::JsonValue to_json(const PlannedRun& run);

// The limits that every WebGPU device meets.
TargetLimits webgpu_limits();
// The features and limits of the browser's adapter that generated code depends on.
TargetLimits limits_from_json(base::JsonFields& fields);

// The member "seed" is that of the run; "launch" is the number of the launch, from 0.
PlanOptions plan_options_from_json(base::JsonFields& fields);

// Member "buffers" of an answer, as Launch::buffers: empty where not read back. Zeros at the end of a buffer may be
// left out. An answer that does not fit the launch is a mistake.
std::vector<std::vector<std::uint32_t>> buffers_from_json(base::JsonFields& fields, const Launch& launch);

}  // namespace weakspot::codegen

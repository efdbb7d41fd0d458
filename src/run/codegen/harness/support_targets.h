// SPDX-License-Identifier: MIT
// Refuses features that one target cannot express. support.cpp refuses those that no target can.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "codegen/device_program.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// A callback that takes the reason, "OpenCL has no clusters".
using Refuse = std::function<void(const std::string& why)>;

void refuse_for_cpu(const litmus::LitmusTest& test, const CpuFeatures& features, const Refuse& refuse);
void refuse_for_opencl(const litmus::LitmusTest& test, const OpenclLimits& limits, const Refuse& refuse);
void refuse_for_wgsl(const litmus::LitmusTest& test, const Refuse& refuse);
// For resident tests (resident_layout.h), in PTX.
void refuse_for_resident(const litmus::LitmusTest& test, const TargetLimits& limits, const Refuse& refuse);
void refuse_for_grids(const litmus::LitmusTest& test, const TargetLimits& limits, const Refuse& refuse);
void refuse_for_spirv(const litmus::LitmusTest& test, const Refuse& refuse);

// A check of one processor's half of a test: the test without the instructions of the other's threads.
using CheckHalf = std::function<base::Status(const litmus::LitmusTest& half, Target target)>;
base::Status check_mixed(const litmus::LitmusTest& test, const CheckHalf& check);
// True if the GPU may do a read-modify-write on a location that the CPU uses.
bool shares_atomics(const litmus::LitmusTest& test);

}  // namespace weakspot::codegen

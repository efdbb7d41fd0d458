// SPDX-License-Identifier: MIT
// A test in PTX's words of 2015, in the words of another platform.
#pragma once

#include "backend/device.h"
#include "litmus/test.h"

namespace weakspot::workbench {

// The form in which the device is asked the test's question. CUDA and CPUs take it as written. OpenCL, Vulkan and
// WebGPU have no cache operators, and a plain access that races means nothing there: cache operators and volatile are
// dropped, plain accesses become relaxed ones, and a membar becomes the strongest fence that the platform has. Other
// tests stay as they are.
litmus::LitmusTest platform_form(litmus::LitmusTest test, const backend::DeviceInfo& device);

}  // namespace weakspot::workbench

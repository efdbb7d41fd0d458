// SPDX-License-Identifier: MIT
// clang's flags for HIP, which it compiles for AMD's GPUs without ROCm.
#pragma once

#include <string>
#include <vector>

#include "race/request.h"

namespace weakspot::race_jit {

inline constexpr const char* kHipPrefix = "weakspot/hip/device.h";

// Language and headers, of host and device alike.
std::vector<std::string> hip_flags(const race::Request& request);
// The GPU, and the size of its waves.
std::vector<std::string> hip_gpu_flags(const race::Request& request);

}  // namespace weakspot::race_jit

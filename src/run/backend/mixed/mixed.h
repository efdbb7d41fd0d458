// SPDX-License-Identifier: MIT
// A CUDA device and the CPU beside it as one device, "cuda:0+cpu". It runs tests that have threads on both.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

// One mixed device for each CUDA device; empty if there is none.
std::vector<DeviceInfo> list_mixed_devices();
// "cuda+cpu" or "cuda:N+cpu".
base::Result<std::unique_ptr<Device>> open_mixed_device(std::string_view id);

}  // namespace weakspot::backend

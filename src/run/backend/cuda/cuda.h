// SPDX-License-Identifier: MIT
// NVIDIA GPUs through the driver library, libcuda.so.1, opened at run time; no toolkit is needed to build or to run.
// Programs are PTX, compiled by the driver.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

// Empty if there is no driver or no device.
std::vector<DeviceInfo> list_cuda_devices();
// "cuda" or "cuda:N".
base::Result<std::unique_ptr<Device>> open_cuda_device(std::string_view id);

}  // namespace weakspot::backend

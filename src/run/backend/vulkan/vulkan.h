// SPDX-License-Identifier: MIT
// Vulkan devices: GPUs, and drivers that compute on the host (lavapipe). The loader, or without one a driver's library,
// is opened at run time; building needs the headers only. Programs are SPIR-V.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

// Empty if there is no driver or no device.
std::vector<DeviceInfo> list_vulkan_devices();
// "vulkan" or "vulkan:N".
base::Result<std::unique_ptr<Device>> open_vulkan_device(std::string_view id);

}  // namespace weakspot::backend

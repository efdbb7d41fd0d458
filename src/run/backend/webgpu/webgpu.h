// SPDX-License-Identifier: MIT
// WebGPU as a device: a Chromium or Chrome without a window, started on a page of ours, compiles and runs WGSL. On a
// machine with a GPU webgpu:0 is that GPU and webgpu:1 the browser's software adapter; elsewhere webgpu:0 is the
// latter.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

// Starts no browser: what a device can do is known once it is open.
std::vector<DeviceInfo> list_webgpu_devices();
base::Result<std::unique_ptr<Device>> open_webgpu_device(std::string_view id);

}  // namespace weakspot::backend

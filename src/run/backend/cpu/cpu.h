// SPDX-License-Identifier: MIT
// The machine itself as a device. Programs are instructions (codegen/cpu_code.h), assembled without a compiler and run
// by pinned threads.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

std::vector<DeviceInfo> list_cpu_devices();
// "cpu" or "cpu:0".
base::Result<std::unique_ptr<Device>> open_cpu_device(std::string_view id);

}  // namespace weakspot::backend

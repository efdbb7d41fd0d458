// SPDX-License-Identifier: MIT
// Devices behind OpenCL 2.0 and newer (the loader library libOpenCL.so.1, opened at run time): GPUs of any vendor, and
// the CPU if a driver such as PoCL is installed. Programs are OpenCL C, compiled by the driver.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

// Numbered over all platforms. Empty if there is no driver or no device.
std::vector<DeviceInfo> list_opencl_devices();
// "opencl" or "opencl:N". The error names what a device lacks to run tests. `compiler` and the device's id start a
// process that calls serve_opencl_compiler(); it is used where that saves time. Empty: none.
base::Result<std::unique_ptr<Device>> open_opencl_device(std::string_view id, std::vector<std::string> compiler = {});
// Compiles the programs that standard input asks for, until it ends; the exit code of the process.
int serve_opencl_compiler(std::string_view id);

}  // namespace weakspot::backend

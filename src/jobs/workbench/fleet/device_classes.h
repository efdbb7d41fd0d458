// SPDX-License-Identifier: MIT
// Device classes: which device may run which part of a campaign. A class is a word for all devices that a plan treats
// alike.
#pragma once

#include <string>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "workbench/environments.h"

namespace weakspot::workbench {

inline constexpr std::string_view kRecordedDevice = "recorded:";

// The classes that a device belongs to: its id (cuda:0), its interface (cuda), its family (nvidia, cpu-aarch64) and its
// name (NVIDIA H200), each once. recorded:FILE also belongs to `recorded`.
std::vector<std::string> classes_of(const backend::DeviceInfo& info);
std::vector<std::string> classes_of_recorded(const std::string& id);

// A device that stands for the class when environments are chosen: one of this machine if it has one, else a
// description that knows no more than the class says.
backend::DeviceInfo example_of(const std::string& device_class);

}  // namespace weakspot::workbench

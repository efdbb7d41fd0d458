// SPDX-License-Identifier: MIT
// Chooses the devices of a job: the named ones, all of them, or a good one where none is named.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "json/json.h"
#include "questions/model_choice.h"

namespace weakspot::workbench {

// The devices to choose from. Drivers take time to open, so families are listed one by one.
struct DeviceCatalog {
  std::vector<std::string_view> families;
  std::function<std::vector<backend::DeviceInfo>(std::string_view family)> list;
  // Describes a device that is not listed, by opening it.
  std::function<base::Result<backend::DeviceInfo>(const std::string& id)> describe;
};
// The devices of this machine.
DeviceCatalog this_machine();

// The devices with these ids, in this order, each once. "all" means every device in the catalog; no ids mean the first
// GPU, or the first device if there is no GPU. Fails if one is missing, or if there is no device at all: an id that no
// device can have is bad input, everything else an error of kind `device`.
base::Result<std::vector<backend::DeviceInfo>> find_devices(const std::vector<std::string>& ids,
                                                            const DeviceCatalog& catalog = this_machine());

// The same, but one of several devices may be unusable: it is in the list with its id and its problem.
struct FoundDevice {
  backend::DeviceInfo info;
  std::string problem;  // empty: it can be used
};
base::Result<std::vector<FoundDevice>> find_usable_devices(const std::vector<std::string>& ids,
                                                           const DeviceCatalog& catalog = this_machine());

// The device of this id, for jobs that take one; empty: as find_devices() chooses.
base::Result<backend::DeviceInfo> find_one_device(const std::string& id);

// The kind of device that a curated suite is for: "cpu-aarch64", "cpu-x86_64", "nvidia", or the device's own name.
std::string family_of(const backend::DeviceInfo& info);

// The properties that the choice of a model depends on.
questions::Platform platform_of(const backend::DeviceInfo& info);

// The processor of this machine, through whatever driver: stress for GPUs would be wasted on it.
bool is_host_processor(const backend::DeviceInfo& info);

// Bytes for short runs of many programs, which stay on the device side by side.
std::uint64_t slice_memory(const backend::DeviceInfo& info);

// The output of `weakspot devices --json`.
base::JsonValue devices_json(const std::vector<backend::DeviceInfo>& devices);

}  // namespace weakspot::workbench

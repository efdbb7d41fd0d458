// The kinds of devices that were built in: a new backend adds its row to families().
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

struct Family {
  std::string_view name;  // the part of a device's id before the colon
  std::vector<DeviceInfo> (*list)();
  base::Result<std::unique_ptr<Device>> (*open)(std::string_view id);
};

std::span<const Family> families();

// The number in the id of a device of a family that numbers its devices: 3 for "cuda:3", 0 for "cuda".
base::Result<std::size_t> device_number(std::string_view id);

}  // namespace weakspot::backend

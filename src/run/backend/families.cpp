// SPDX-License-Identifier: MIT
// The families of devices in this build, and the functions of device.h that walk them.
#include <fmt/format.h>

#include <span>

#if WEAKSPOT_HAS_CPU
#include "backend/cpu/cpu.h"
#endif
#include "backend/cuda/cuda.h"
#if WEAKSPOT_HAS_MIXED
#include "backend/mixed/mixed.h"
#endif
#if WEAKSPOT_HAS_OPENCL
#include "backend/opencl/opencl.h"
#endif
#if WEAKSPOT_HAS_VULKAN
#include "backend/vulkan/vulkan.h"
#endif
#include "backend/device.h"
#include "backend/fake/testing.h"
#include "backend/webgpu/webgpu.h"
#include "base/nearest.h"

namespace weakspot::backend {
namespace {

struct Family {
  std::string_view name;  // the part of a device's id before the colon, and "+cpu" if the id ends so
  std::vector<DeviceInfo> (*list)();
  base::Result<std::unique_ptr<Device>> (*open)(std::string_view id, const OpenOptions& options);
  int (*serve_compiler)(std::string_view id) = nullptr;  // nullptr: its devices use no processes that compile
};

template <auto Open>
base::Result<std::unique_ptr<Device>> plainly(std::string_view id, const OpenOptions&) {
  return Open(id);
}

// A new backend adds its row here.
std::span<const Family> families() {
  static const Family kFamilies[] = {
#if WEAKSPOT_HAS_CPU
      {"cpu", list_cpu_devices, plainly<open_cpu_device>},
#endif
      {"cuda", list_cuda_devices, plainly<open_cuda_device>},
#if WEAKSPOT_HAS_OPENCL
      {"opencl", list_opencl_devices,
       [](std::string_view id, const OpenOptions& options) { return open_opencl_device(id, options.compiler); },
       serve_opencl_compiler},
#endif
#if WEAKSPOT_HAS_VULKAN
      {"vulkan", list_vulkan_devices, plainly<open_vulkan_device>},
#endif
      {"webgpu", list_webgpu_devices, plainly<open_webgpu_device>},
#if WEAKSPOT_HAS_MIXED
      {"cuda+cpu", list_mixed_devices, plainly<open_mixed_device>},
#endif
      {"testing", list_testing_devices, plainly<open_testing_device>},
  };
  return kFamilies;
}

// The family that an id belongs to, or the name of a family itself.
std::string family_name(std::string_view id) {
  constexpr std::string_view kBesideCpu = "+cpu";
  std::string name(id.substr(0, id.find(':')));
  if (id.ends_with(kBesideCpu) && !name.ends_with(kBesideCpu)) name += kBesideCpu;
  return name;
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices;
  for (const Family& family : families()) {
    for (DeviceInfo& info : family.list()) devices.push_back(std::move(info));
  }
  return devices;
}

std::vector<DeviceInfo> list_devices(std::string_view family) {
  const std::string name = family_name(family);
  for (const Family& one : families()) {
    if (one.name == name) return one.list();
  }
  return {};
}

std::vector<std::string_view> device_families() {
  std::vector<std::string_view> names;
  for (const Family& family : families()) names.push_back(family.name);
  return names;
}

base::Result<std::unique_ptr<Device>> open_device(std::string_view id, const OpenOptions& options) {
  const std::string name = family_name(id);
  for (const Family& family : families()) {
    if (family.name == name) return family.open(id, options);
  }
  std::string known;
  std::vector<std::string> names;
  for (const DeviceInfo& info : list_devices()) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.id);
    names.push_back(info.id);
  }
  for (const Family& family : families()) names.emplace_back(family.name);
  return base::error(fmt::format("unknown device '{}'; this machine has {}{}", id, known.empty() ? "none" : known,
                                 base::did_you_mean(id, names)));
}

int serve_compiler(std::string_view id) {
  const std::string name = family_name(id);
  for (const Family& family : families()) {
    if (family.name == name && family.serve_compiler != nullptr) return family.serve_compiler(id);
  }
  return 2;
}

}  // namespace weakspot::backend

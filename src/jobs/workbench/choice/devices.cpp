// SPDX-License-Identifier: MIT
#include "workbench/devices.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "codegen/targets.h"

namespace weakspot::workbench {
namespace {

using Described = base::Result<backend::DeviceInfo>;

base::Diagnostic no_device() {
  return base::error("there is no device on this machine that this program can use", base::ErrorKind::device);
}

// Stops at the first GPU: the drivers of the families after it need not be opened.
Described default_device(const DeviceCatalog& catalog) {
  std::optional<backend::DeviceInfo> first;
  for (const std::string_view family : catalog.families) {
    for (const backend::DeviceInfo& info : catalog.list(family)) {
      if (!is_host_processor(info)) return info;
      if (!first) first = info;
    }
  }
  if (first) return *first;
  return no_device();
}

Described find_device(const std::string& id, const DeviceCatalog& catalog) {
  for (const backend::DeviceInfo& info : catalog.list(id)) {
    if (info.id == id || info.id == id + ":0") return info;
  }
  return catalog.describe(id);
}

struct NamedDevice {
  std::string id;
  Described described;
};

// Fails if there is no device at all.
base::Result<std::vector<NamedDevice>> named_devices(const std::vector<std::string>& ids,
                                                     const DeviceCatalog& catalog) {
  std::vector<NamedDevice> named;
  auto add = [&](const std::string& asked, Described described) {
    const std::string id = described ? described->id : asked;
    const bool known =
        std::any_of(named.begin(), named.end(), [&](const NamedDevice& other) { return other.id == id; });
    if (!known) named.push_back({id, std::move(described)});
  };
  if (ids.empty()) {
    Described described = default_device(catalog);
    if (!described) return described.errors();
    add("", std::move(described));
  }
  for (const std::string& id : ids) {
    if (id != "all") {
      add(id, find_device(id, catalog));
      continue;
    }
    bool any = false;
    for (const std::string_view family : catalog.families) {
      for (backend::DeviceInfo& info : catalog.list(family)) {
        if (info.target == codegen::Target::mixed) continue;  // two that are there anyway
        any = true;
        add(info.id, std::move(info));
      }
    }
    if (!any) return no_device();
  }
  return named;
}

}  // namespace

DeviceCatalog this_machine() {
  return {backend::device_families(), [](std::string_view family) { return backend::list_devices(family); },
          [](const std::string& id) -> Described {
            const base::Result<std::unique_ptr<backend::Device>> device = backend::open_device(id);
            if (!device) return device.errors();
            return (*device)->info();
          }};
}

base::Result<std::vector<FoundDevice>> find_usable_devices(const std::vector<std::string>& ids,
                                                           const DeviceCatalog& catalog) {
  const base::Result<std::vector<NamedDevice>> named = named_devices(ids, catalog);
  if (!named) return named.errors();
  std::vector<FoundDevice> found;
  for (const auto& [id, described] : *named) {
    if (described) {
      found.push_back({*described, ""});
      continue;
    }
    if (named->size() == 1 || base::kind_of(described.errors()) == base::ErrorKind::bad_input) {
      return described.errors();
    }
    FoundDevice unusable{{}, described.errors().front().message};
    unusable.info.id = id;
    found.push_back(std::move(unusable));
  }
  return found;
}

base::Result<std::vector<backend::DeviceInfo>> find_devices(const std::vector<std::string>& ids,
                                                            const DeviceCatalog& catalog) {
  const base::Result<std::vector<NamedDevice>> named = named_devices(ids, catalog);
  if (!named) return named.errors();
  std::vector<backend::DeviceInfo> devices;
  for (const auto& [id, described] : *named) {
    if (!described) return described.errors();
    devices.push_back(*described);
  }
  return devices;
}

base::Result<backend::DeviceInfo> find_one_device(const std::string& id) {
  const auto found = find_devices(id.empty() ? std::vector<std::string>{} : std::vector<std::string>{id});
  if (!found) return found.errors();
  if (found->size() > 1) return base::error("the table is for one device, not for all");
  return found->front();
}

std::string family_of(const backend::DeviceInfo& info) {
  if (info.target == codegen::Target::cpu) {
    return info.limits.cpu.isa == codegen::CpuIsa::aarch64 ? "cpu-aarch64" : "cpu-x86_64";
  }
  if (info.target == codegen::Target::mixed && !info.id.starts_with("testing")) return "nvidia+cpu";
  if (info.target == codegen::Target::ptx && !info.id.starts_with("testing")) return "nvidia";
  return info.name.find("NVIDIA") != std::string::npos ? "nvidia" : info.name;
}

questions::Platform platform_of(const backend::DeviceInfo& info) { return {info.target, info.limits}; }

bool is_host_processor(const backend::DeviceInfo& info) { return info.target == codegen::Target::cpu || info.is_host; }

base::JsonValue devices_json(const std::vector<backend::DeviceInfo>& devices) {
  base::JsonValue array = base::json_array();
  for (const backend::DeviceInfo& info : devices) {
    base::JsonValue json;
    json["id"] = info.id;
    json["name"] = info.name;
    json["driver"] = info.driver;
    json["target"] = codegen::to_string(info.target);
    json["multiprocessors"] = info.multiprocessors;
    json["memory"] = info.memory_bytes;
    json["l2"] = info.l2_bytes;
    json["subgroup_size"] = info.limits.subgroup_size;
    json["max_workgroup_size"] = info.limits.max_workgroup_size;
    json["max_shared_memory"] = info.limits.max_shared_bytes;
    json["max_cluster"] = info.limits.max_cluster;
    json["is_host"] = info.is_host;
    json["environment"] = info.environment;
    array.push_back(std::move(json));
  }
  return array;
}

std::uint64_t slice_memory(const backend::DeviceInfo& info) {
  const std::uint64_t part = info.memory_bytes / 32;
  return std::clamp<std::uint64_t>(part, std::uint64_t{64} << 20, std::uint64_t{1} << 30);
}

}  // namespace weakspot::workbench

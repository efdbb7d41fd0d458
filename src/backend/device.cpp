#include "backend/device.h"

#include <fmt/format.h>

#include <charconv>

#include "backend/families.h"
#include "base/names.h"

namespace weakspot::backend {
namespace {

constexpr base::Named<RunStatus> kStatuses[] = {
    {"finished", RunStatus::finished},
    {"stopped", RunStatus::stopped},
    {"lost", RunStatus::lost},
};

}  // namespace

std::string_view to_string(RunStatus status) { return base::name_of(kStatuses, status); }

std::vector<Device::Loaded> Device::load_all(std::span<const codegen::DeviceProgram* const> programs) {
  std::vector<Loaded> loaded;
  for (const codegen::DeviceProgram* program : programs) loaded.push_back(load(*program));
  return loaded;
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices;
  for (const Family& family : families()) {
    for (DeviceInfo& info : family.list()) devices.push_back(std::move(info));
  }
  return devices;
}

std::vector<DeviceInfo> list_devices(std::string_view family) {
  const std::string_view name = family.substr(0, family.find(':'));
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

base::Result<std::size_t> device_number(std::string_view id) {
  const std::string_view family = id.substr(0, id.find(':'));
  if (id.size() <= family.size() + 1) return std::size_t{0};
  const std::string_view text = id.substr(family.size() + 1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return base::error(fmt::format("unknown device '{}'; expected {}:NUMBER", id, family));
}

base::Result<std::unique_ptr<Device>> open_device(std::string_view id) {
  const std::string_view name = id.substr(0, id.find(':'));
  for (const Family& family : families()) {
    if (family.name == name) return family.open(id);
  }
  std::string known;
  for (const DeviceInfo& info : list_devices()) known += fmt::format("{}{}", known.empty() ? "" : ", ", info.id);
  return base::error(fmt::format("unknown device '{}'; this machine has {}", id, known.empty() ? "none" : known));
}

}  // namespace weakspot::backend

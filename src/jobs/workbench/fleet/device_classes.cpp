// SPDX-License-Identifier: MIT
#include "workbench/fleet/device_classes.h"

#include <algorithm>

#include "workbench/devices.h"

namespace weakspot::workbench {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void add_class(std::vector<std::string>& classes, const std::string& word) {
  if (!word.empty() && !contains(classes, word)) classes.push_back(word);
}

std::string interface_of(const std::string& id) { return id.substr(0, id.find(':')); }

// The families to look for a device of the class in: its own, where its name tells, so that other drivers stay closed.
std::vector<std::string_view> families_for(const std::string& device_class) {
  const std::vector<std::string_view> all = backend::device_families();
  const std::string own = interface_of(device_class);
  if (std::find(all.begin(), all.end(), own) != all.end()) {
    return {*std::find(all.begin(), all.end(), own)};
  }
  return device_class.starts_with("cpu-") ? std::vector<std::string_view>{"cpu"} : all;
}

}  // namespace

std::vector<std::string> classes_of(const backend::DeviceInfo& info) {
  std::vector<std::string> classes;
  add_class(classes, info.id);
  add_class(classes, interface_of(info.id));
  add_class(classes, family_of(info));
  add_class(classes, info.name);
  return classes;
}

std::vector<std::string> classes_of_recorded(const std::string& id) { return {id, interface_of(id)}; }

backend::DeviceInfo example_of(const std::string& device_class) {
  const std::vector<std::string_view> families = families_for(device_class);
  for (const std::string_view family : families) {
    for (const backend::DeviceInfo& info : backend::list_devices(family)) {
      // Another processor is as good an example as the one that is missing here.
      const bool alike = info.target == codegen::Target::cpu && families.size() == 1;
      if (alike || contains(classes_of(info), device_class)) return info;
    }
  }
  backend::DeviceInfo unknown;
  unknown.id = device_class;
  return unknown;
}

}  // namespace weakspot::workbench

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "backend/device.h"
#include "cli/commands.h"
#include "codegen/targets.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;

Json as_json(const backend::DeviceInfo& info) {
  Json json;
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
  return json;
}

std::string line(const backend::DeviceInfo& info) {
  return fmt::format("{:<10} {}, {}; {} MiB, {} multiprocessor{}, workgroups up to {}, subgroups of {}\n", info.id,
                     info.name, info.driver, info.memory_bytes >> 20, info.multiprocessors,
                     info.multiprocessors == 1 ? "" : "s", info.limits.max_workgroup_size, info.limits.subgroup_size);
}

int list(bool json) {
  const std::vector<backend::DeviceInfo> devices = backend::list_devices();
  Json array = base::json_array();
  for (const backend::DeviceInfo& info : devices) {
    if (json) {
      array.push_back(as_json(info));
    } else {
      print_results(line(info));
    }
  }
  if (json) print_output(json_text(array));
  if (!json && devices.empty()) print_error("there is no device on this machine that this program can use\n");
  return kFine;
}

}  // namespace

void add_devices(Command& app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  Command* command = app.add_subcommand("devices", "List the devices that tests can run on");
  command->add_flag("--json", *json, "print an array of devices");
  command->footer("Examples:\n  weakspot devices\n  weakspot devices --json");
  command->callback([json, &exit_code] { exit_code = list(*json); });
}

}  // namespace weakspot::cli

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "backend/device.h"
#include "cli/command/commands.h"
#include "workbench/devices.h"

namespace weakspot::cli {
namespace {

std::string line(const backend::DeviceInfo& info) {
  return fmt::format("{:<10} {}, {}; {} MiB, {} multiprocessor{}, workgroups up to {}, subgroups of {}\n", info.id,
                     info.name, info.driver, info.memory_bytes >> 20, info.multiprocessors,
                     info.multiprocessors == 1 ? "" : "s", info.limits.max_workgroup_size, info.limits.subgroup_size);
}

int list(bool json) {
  const std::vector<backend::DeviceInfo> devices = backend::list_devices();
  if (json) {
    print_output(json_text(workbench::devices_json(devices)));
    return kFine;
  }
  for (const backend::DeviceInfo& info : devices) print_results(line(info));
  if (devices.empty()) print_error("there is no device on this machine that this program can use\n");
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

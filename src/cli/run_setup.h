// What the commands that run tests have in common: which devices, in which environments, for how long.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/runner.h"
#include "cli/command_line.h"
#include "codegen/environment.h"
#include "litmus/test.h"

namespace weakspot::cli {

struct DeviceSetup {
  std::string id;
  std::vector<codegen::TestEnvironment> environments;  // at least one
  std::string problem;                                 // why it cannot be used; empty if it can
};

struct RunSetup {
  std::vector<std::string> device_ids;    // "all": every device found; empty: the first GPU, else the first device
  std::vector<std::string> environments;  // presets, k=v lists, files, or "sweep"; empty: the device's own
  double seconds = 5;                     // per test and device, shared by the environments
  std::uint64_t instances = 0;            // per test, device and environment
  std::uint64_t seed = 1;
  std::uint64_t memory = 0;  // bytes; 0: a quarter of what is free
  double deadline = 0;       // 0: some time beyond `seconds`
  bool no_isolation = false;

  void add_options(Command& command);

  // The devices with their environments, each once. One of several that cannot be used is there with its problem; alone
  // it is an error. `exit_code` tells a mistake of the user from a device that is not there.
  base::Result<std::vector<DeviceSetup>> devices(int& exit_code) const;
  campaign::RunRequest request(const campaign::RunTest& test, const DeviceSetup& device,
                               const codegen::TestEnvironment& environment) const;
  std::unique_ptr<campaign::Executor> executor() const;
};

// --device of commands that take several: ids, or "all" for every device found.
void add_device_option(Command& command, std::vector<std::string>& ids);

// What --device says, each device once; none: the first GPU, or else the first device. Each must be there. `exit_code`
// as above.
base::Result<std::vector<backend::DeviceInfo>> find_devices(const std::vector<std::string>& ids, int& exit_code);

std::unique_ptr<campaign::Executor> make_executor(bool no_isolation);

// Bytes for short runs of many programs, which stay on the device side by side.
std::uint64_t slice_memory(const backend::DeviceInfo& info);

// Reads one --env.
base::Result<std::vector<codegen::TestEnvironment>> read_environments(const std::string& text,
                                                                      const backend::DeviceInfo& info);

// The date and time, as records have it: 2026-01-31T12:00:00Z.
std::string now_text();

}  // namespace weakspot::cli

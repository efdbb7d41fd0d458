#include "cli/run_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>

#include "backend/device.h"
#include "base/file.h"
#include "cli/commands.h"
#include "codegen/sweep.h"

namespace weakspot::cli {
namespace {

// Time that a run may take beyond what was asked, before its device is given up.
constexpr double kDeadlineSlack = 30;
constexpr double kInstancesDeadline = 300;

bool is_gpu(const backend::DeviceInfo& info) { return info.target != codegen::Target::cpu && !info.is_host; }

base::Diagnostic no_device() { return base::error("there is no device on this machine that this program can use"); }

// The first GPU, or else the first device. Drivers take time to open: none is after the first GPU.
base::Result<backend::DeviceInfo> default_device() {
  std::optional<backend::DeviceInfo> first;
  for (const std::string_view family : backend::device_families()) {
    for (const backend::DeviceInfo& info : backend::list_devices(family)) {
      if (is_gpu(info)) return info;
      if (!first) first = info;
    }
  }
  if (first) return *first;
  return no_device();
}

// Devices that are not listed are opened to be asked.
base::Result<backend::DeviceInfo> describe(const std::string& id) {
  for (const backend::DeviceInfo& info : backend::list_devices(id)) {
    if (info.id == id || info.id == id + ":0") return info;
  }
  const base::Result<std::unique_ptr<backend::Device>> device = backend::open_device(id);
  if (!device) return device.errors();
  return (*device)->info();
}

using Named = std::pair<std::string, base::Result<backend::DeviceInfo>>;

// What --device says, in its order, each device once; fails if there is no device at all.
base::Result<std::vector<Named>> named_devices(const std::vector<std::string>& ids) {
  std::vector<Named> named;
  auto add = [&](std::string id, base::Result<backend::DeviceInfo> info) {
    const std::string& name = info ? info->id : id;
    const bool known = std::any_of(named.begin(), named.end(), [&](const Named& other) { return other.first == name; });
    if (!known) named.emplace_back(name, std::move(info));
  };
  if (ids.empty()) {
    base::Result<backend::DeviceInfo> info = default_device();
    if (!info) return info.errors();
    add("", std::move(info));
  }
  for (const std::string& id : ids) {
    if (id != "all") {
      add(id, describe(id));
      continue;
    }
    const std::vector<backend::DeviceInfo> found = backend::list_devices();
    if (found.empty()) return no_device();
    for (const backend::DeviceInfo& info : found) add(info.id, info);
  }
  return named;
}

// A name that no device can have, or a device that is not there.
int code_of(const base::Diagnostics& errors) {
  return errors.front().message.starts_with("unknown device") ? kBadInput : kDeviceFailed;
}

std::vector<codegen::TestEnvironment> sweep(const backend::DeviceInfo& info) {
  using codegen::SweepFor;
  const bool cpu = info.target == codegen::Target::cpu;
  return codegen::default_sweep(cpu ? SweepFor::cpu : info.is_host ? SweepFor::host_driver : SweepFor::gpu);
}

}  // namespace

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

base::Result<std::vector<codegen::TestEnvironment>> read_environments(const std::string& text,
                                                                      const backend::DeviceInfo& info) {
  if (text == "sweep") return sweep(info);
  std::error_code code;
  if (std::filesystem::is_regular_file(text, code)) {
    base::Result<std::string> content = base::read_file(text);
    if (!content) return content.errors();
    const bool json = content->find('{') != std::string::npos;
    const base::Source source(text, *std::move(content));
    const auto read = json ? codegen::environment_from_json(source) : codegen::parse_environment(source);
    if (!read) return read.errors();
    return std::vector{*read};
  }
  const auto read = codegen::parse_environment(base::Source("--env", text));
  if (!read) return read.errors();
  return std::vector{*read};
}

void add_device_option(Command& command, std::vector<std::string>& ids) {
  command
      .add_option("--device", ids,
                  "where to run, see 'weakspot devices', or 'all' of them; default: the first GPU, or the CPU")
      ->delimiter(',');
}

void RunSetup::add_options(Command& command) {
  add_device_option(command, device_ids);
  command
      .add_option("--env", environments,
                  "a preset, name=value,..., a file, or 'sweep' for many in turn; may be repeated")
      ->take_all();
  command.add_option("--seconds", seconds, "time per test and device, shared by its environments; default 5")
      ->range(1e-3, 1e7);
  command.add_option("--instances", instances, "run each test so often instead, in each environment")->range(1, 1e18);
  command.add_option("--seed", seed, "of what is drawn at random; default 1")->range(0, 1.8e19);
  command
      .add_option("--memory", memory, "the most to use on the device, such as 512M; default: a quarter of what is free")
      ->as_bytes();
  command.add_option("--deadline", deadline, "seconds after which a run is given up")->range(0.1, 1e7);
  command.add_flag("--no-isolation", no_isolation, "use devices in this process: a crash ends it all");
}

base::Result<std::vector<DeviceSetup>> RunSetup::devices(int& exit_code) const {
  exit_code = kDeviceFailed;
  const base::Result<std::vector<Named>> named = named_devices(device_ids);
  if (!named) return named.errors();
  std::vector<DeviceSetup> setups;
  for (const auto& [id, info] : *named) {
    if (!info) {
      exit_code = code_of(info.errors());
      if (exit_code == kBadInput || named->size() == 1) return info.errors();
    }
    exit_code = kBadInput;
    DeviceSetup device{id, {}, info ? "" : info.errors().front().message};
    const backend::DeviceInfo description = info ? *info : backend::DeviceInfo{};
    const std::vector<std::string> texts =
        environments.empty() ? std::vector<std::string>{description.environment} : environments;
    for (const std::string& text : texts) {
      const auto read = read_environments(text, description);
      if (!read) return read.errors();
      device.environments.insert(device.environments.end(), read->begin(), read->end());
    }
    setups.push_back(std::move(device));
  }
  return setups;
}

campaign::RunRequest RunSetup::request(const litmus::LitmusTest& test, const DeviceSetup& device,
                                       const codegen::TestEnvironment& environment) const {
  campaign::RunRequest request;
  request.test = test;
  request.device = device.id;
  request.environment = environment;
  request.seed = seed;
  request.seconds = seconds / static_cast<double>(device.environments.size());
  request.instances = instances;
  request.memory = memory;
  request.deadline = deadline != 0 ? deadline : instances != 0 ? kInstancesDeadline : request.seconds + kDeadlineSlack;
  request.started = now_text();
  return request;
}

base::Result<std::vector<backend::DeviceInfo>> find_devices(const std::vector<std::string>& ids, int& exit_code) {
  exit_code = kDeviceFailed;
  const base::Result<std::vector<Named>> named = named_devices(ids);
  if (!named) return named.errors();
  std::vector<backend::DeviceInfo> devices;
  for (const auto& [id, info] : *named) {
    if (!info) {
      exit_code = code_of(info.errors());
      return info.errors();
    }
    devices.push_back(*info);
  }
  return devices;
}

std::uint64_t slice_memory(const backend::DeviceInfo& info) {
  const std::uint64_t part = info.memory_bytes / 32;
  return std::clamp<std::uint64_t>(part, std::uint64_t{64} << 20, std::uint64_t{1} << 30);
}

std::unique_ptr<campaign::Executor> RunSetup::executor() const { return make_executor(no_isolation); }

std::unique_ptr<campaign::Executor> make_executor(bool no_isolation) {
  if (no_isolation) return campaign::in_process_executor();
  return campaign::isolated_executor({"/proc/self/exe", "worker"});
}

}  // namespace weakspot::cli

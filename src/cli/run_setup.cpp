#include "cli/run_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <optional>

#include "backend/families.h"
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

// The range of a number, without the parser's own way of putting it.
TextCheck between(double low, double high) {
  return [=](std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool read = error == std::errc() && end == text.data() + text.size();
    return read && number >= low && number <= high ? std::string()
                                                   : fmt::format("'{}' is not from {} to {}", text, low, high);
  };
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

// What --device says, in its order; fails if there is no device at all.
base::Result<std::vector<Named>> named_devices(const std::vector<std::string>& ids) {
  std::vector<Named> named;
  if (ids.empty()) {
    base::Result<backend::DeviceInfo> info = default_device();
    if (!info) return info.errors();
    named.emplace_back(info->id, std::move(info));
  }
  for (const std::string& id : ids) {
    if (id != "all") {
      named.emplace_back(id, describe(id));
      continue;
    }
    const std::vector<backend::DeviceInfo> found = backend::list_devices();
    if (found.empty()) return no_device();
    for (const backend::DeviceInfo& info : found) named.emplace_back(info.id, info);
  }
  return named;
}

std::vector<codegen::TestEnvironment> sweep(const backend::DeviceInfo& info) {
  using codegen::SweepFor;
  const bool cpu = info.target == codegen::Target::cpu;
  return codegen::default_sweep(cpu ? SweepFor::cpu : info.is_host ? SweepFor::host_driver : SweepFor::gpu);
}

}  // namespace

std::optional<std::uint64_t> read_bytes(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || number == 0) return std::nullopt;
  static constexpr std::pair<std::string_view, int> kUnits[] = {{"", 0},   {"K", 10},   {"M", 20},   {"G", 30},
                                                                {"k", 10}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  for (const auto& [name, shift] : kUnits) {
    if (unit != name) continue;
    if (number > UINT64_MAX >> shift) return std::nullopt;
    return number << shift;
  }
  return std::nullopt;
}

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

void RunSetup::add_options(Command& command) {
  command
      .add_option("--device", device_ids,
                  "where to run, see 'weakspot devices', or 'all' of them; default: the first GPU, or the CPU")
      ->delimiter(',');
  command
      .add_option("--env", environments,
                  "a preset, name=value,..., a file, or 'sweep' for many in turn; may be repeated")
      ->take_all();
  command.add_option("--seconds", seconds, "time per test and device, shared by its environments; default 5")
      ->check(between(1e-3, 1e7));
  command.add_option("--instances", instances, "run each test so often instead, in each environment")
      ->check(between(1, 1e18));
  command.add_option("--seed", seed, "of what is drawn at random; default 1")->check(between(0, 1.8e19));
  command
      .add_option("--memory", memory, "the most to use on the device, such as 512M; default: a quarter of what is free")
      ->check([](std::string& text) {
        return read_bytes(text) ? std::string()
                                : fmt::format("'{}' is no number of bytes such as 1000000, 64M or 2G", text);
      });
  command.add_option("--deadline", deadline, "seconds after which a run is given up")->check(between(0.1, 1e7));
  command.add_flag("--no-isolation", no_isolation, "use devices in this process: a crash ends it all");
}

base::Result<std::vector<DeviceSetup>> RunSetup::devices(int& exit_code) const {
  exit_code = kDeviceFailed;
  const base::Result<std::vector<Named>> named = named_devices(device_ids);
  if (!named) return named.errors();
  std::vector<DeviceSetup> setups;
  for (const auto& [id, info] : *named) {
    const auto same = [&](const DeviceSetup& other) { return other.id == (info ? info->id : id); };
    if (std::any_of(setups.begin(), setups.end(), same)) continue;
    if (!info) {
      // A name that no device can have, or a device that is not there.
      const std::string& problem = info.errors().front().message;
      exit_code = problem.starts_with("unknown device") ? kBadInput : kDeviceFailed;
      if (exit_code == kBadInput || named->size() == 1) return info.errors();
    }
    exit_code = kBadInput;
    DeviceSetup device{info ? info->id : id, {}, info ? "" : info.errors().front().message};
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
  request.memory = memory.empty() ? 0 : read_bytes(memory).value();
  request.deadline = deadline != 0 ? deadline : instances != 0 ? kInstancesDeadline : request.seconds + kDeadlineSlack;
  request.started = now_text();
  return request;
}

base::Result<std::vector<backend::DeviceInfo>> find_devices(const std::vector<std::string>& ids, int& exit_code) {
  exit_code = kDeviceFailed;
  std::vector<backend::DeviceInfo> devices;
  for (const std::string& id : ids.empty() ? std::vector<std::string>{""} : ids) {
    if (id == "all") {
      for (backend::DeviceInfo& info : backend::list_devices()) {
        if (!info.is_host) devices.push_back(std::move(info));
      }
      continue;
    }
    base::Result<backend::DeviceInfo> info = id.empty() ? default_device() : describe(id);
    if (!info) {
      // A name that no device can have, or a device that is not there.
      exit_code = info.errors().front().message.starts_with("unknown device") ? kBadInput : kDeviceFailed;
      return info.errors();
    }
    devices.push_back(*std::move(info));
  }
  if (devices.empty()) return no_device();
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

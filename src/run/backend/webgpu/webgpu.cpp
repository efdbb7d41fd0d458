// SPDX-License-Identifier: MIT
#include "backend/webgpu/webgpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "backend/webgpu/host.h"
#include "base/check.h"
#include "base/names.h"
#include "codegen/program_json.h"
#include "http/page_files.h"

namespace weakspot::backend {
namespace {

using namespace webgpu;
using base::JsonFields;
using base::JsonValue;

constexpr auto kOpenTime = std::chrono::seconds(60);
constexpr auto kLoadTime = std::chrono::seconds(100);
// The page gives a silent device up by itself; this much later we give the page up.
constexpr auto kPageGrace = std::chrono::seconds(5);
constexpr auto kFirstPageGrace = std::chrono::seconds(65);
// SwiftShader runs a workgroup per processor: large ones have more instances per barrier.
constexpr const char* kSoftwareEnvironment = "workgroup_size=256,pairing=half";
// The most memory that web/src/device/open.ts lets a launch use.
constexpr std::uint64_t kSoftwareMemory = 64u << 20;
constexpr std::uint64_t kHardwareMemory = 512u << 20;
// A run uses at most a quarter of the free memory; a browser tells only what may be used.
constexpr std::uint64_t kQuarters = 4;

constexpr base::Named<RunStatus> kAnswers[] = {
    {"finished", RunStatus::finished},
    {"stopped", RunStatus::stopped},
    {"lost", RunStatus::lost},
};

struct Listed {
  DeviceInfo info;
  Adapter adapter = Adapter::software;
};

std::vector<Listed> listed() {
  std::vector<Listed> devices;
  const std::filesystem::path browser = find_browser();
  // The browser runs a script of the page.
  if (browser.empty() || !http::page_folder("device.js")) return devices;
  auto add = [&](Adapter adapter, std::string name) {
    Listed one;
    one.adapter = adapter;
    one.info.id = fmt::format("webgpu:{}", devices.size());
    one.info.name = std::move(name);
    one.info.driver = fmt::format("WebGPU, {}", browser.string());
    one.info.target = codegen::Target::wgsl;
    one.info.limits = codegen::webgpu_limits();
    one.info.is_host = adapter == Adapter::software;
    one.info.memory_bytes = one.info.is_host ? kSoftwareMemory : kHardwareMemory;
    if (one.info.is_host) {
      one.info.environment = kSoftwareEnvironment;
      one.info.multiprocessors = std::max(1u, std::thread::hardware_concurrency());
    }
    devices.push_back(std::move(one));
  };
  if (has_gpu()) add(Adapter::hardware, "GPU of the browser");
  add(Adapter::software, "software adapter of the browser");
  return devices;
}

JsonValue job(std::string_view name) {
  JsonValue value = base::json_object();
  value.add("job", name);
  return value;
}

// Reads an answer's object with `read`; the first mistake is the error.
template <typename T, typename Read>
base::Result<T> understand(const Answer& answer, Read read) {
  base::Mistakes mistakes(answer.source);
  JsonFields fields(answer.value, mistakes, "the browser's answer");
  T made{};
  if (fields.valid()) made = read(fields);
  if (mistakes.any()) {
    return base::error(fmt::format("webgpu: the browser sent an invalid answer: {}", base::messages(mistakes.take())),
                       base::ErrorKind::device);
  }
  return made;
}

class Program final : public LoadedProgram {
 public:
  Program(std::shared_ptr<Host> host, std::uint32_t number, std::vector<std::uint32_t> resident)
      : host_(std::move(host)), number_(number), resident_(std::move(resident)) {}

  ~Program() override {
    if (!host_->lost()) static_cast<void>(host_->ask(numbered("unload"), kPageGrace));
  }

  std::uint32_t resident_workgroups(std::uint32_t entry) const override { return resident_.at(entry); }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    const http::Clock::time_point start = http::Clock::now();
    JsonValue asked = numbered("run");
    asked.add("launch", codegen::to_json(launch));
    asked.add("deadline", deadline.count());
    const base::Result<Answer> answer = host_->ask(asked, deadline + (has_run_ ? kPageGrace : kFirstPageGrace));
    has_run_ = true;
    RunResult result;
    if (!answer) {
      if (!host_->lost()) return answer.errors();
      result.status = RunStatus::lost;
      result.message = base::messages(answer.errors());
    } else {
      base::Result<RunResult> read =
          understand<RunResult>(*answer, [&](JsonFields& fields) { return read_result(fields, launch); });
      if (!read) return read.errors();
      result = *std::move(read);
    }
    result.host_seconds = std::chrono::duration<double>(http::Clock::now() - start).count();
    return result;
  }

  bool release_memory() override { return host_->ask(numbered("release"), kPageGrace).ok(); }

 private:
  JsonValue numbered(std::string_view name) const {
    JsonValue value = job(name);
    value.add("number", number_);
    return value;
  }

  static RunResult read_result(JsonFields& fields, const codegen::Launch& launch) {
    RunResult result;
    result.status = fields.one_of("status", kAnswers).value_or(RunStatus::lost);
    result.message = fields.text("message");
    result.rounds = static_cast<std::uint32_t>(fields.whole("rounds", launch.rounds));
    result.device_seconds = fields.real("device_seconds", 0, 1e9);
    if (result.status != RunStatus::lost) result.buffers = codegen::buffers_from_json(fields, launch);
    return result;
  }

  std::shared_ptr<Host> host_;
  std::uint32_t number_;
  std::vector<std::uint32_t> resident_;
  bool has_run_ = false;
};

class WebgpuDevice final : public Device {
 public:
  WebgpuDevice(DeviceInfo info, std::shared_ptr<Host> host) : info_(std::move(info)), host_(std::move(host)) {}

  const DeviceInfo& info() const override { return info_; }
  std::uint64_t free_bytes() override { return info_.memory_bytes * kQuarters; }
  bool lost() const override { return host_->lost(); }

  base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    WEAKSPOT_CHECK(program.target == codegen::Target::wgsl);
    const std::uint32_t number = next_++;
    JsonValue asked = job("load");
    asked.add("number", number);
    asked.add("program", codegen::to_json(program));
    const base::Result<Answer> answer = host_->ask(asked, kLoadTime);
    if (!answer) return answer.errors();
    base::Result<std::vector<std::uint32_t>> resident =
        understand<std::vector<std::uint32_t>>(*answer, [&](JsonFields& fields) {
          std::vector<std::uint32_t> numbers;
          for (const JsonValue& one : fields.list("resident_workgroups")) {
            numbers.push_back(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(one.whole().value_or(1), 1, 65535)));
          }
          if (numbers.size() != program.entries.size()) fields.mistake(nullptr, "expected a number per entry");
          return numbers;
        });
    if (!resident) return resident.errors();
    return std::unique_ptr<LoadedProgram>(std::make_unique<Program>(host_, number, *std::move(resident)));
  }

 private:
  DeviceInfo info_;
  std::shared_ptr<Host> host_;
  std::uint32_t next_ = 0;
};

// Describes the opened adapter in its own words.
DeviceInfo described(JsonFields& fields, DeviceInfo info) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  info.limits = codegen::limits_from_json(fields);
  info.name = fields.text("name");
  info.driver = fmt::format("WebGPU, {}", fields.text("browser"));
  info.multiprocessors = static_cast<std::uint32_t>(std::max<std::uint64_t>(fields.whole("multiprocessors", 65535), 1));
  info.memory_bytes = fields.whole("memory_bytes", kMost);
  info.is_host = fields.flag("is_host");
  return info;
}

base::Result<std::unique_ptr<Device>> open_numbered(std::string_view id, std::size_t number) {
  if (find_browser().empty()) {
    return base::error("webgpu: there is no Chromium or Chrome on the PATH; WEAKSPOT_BROWSER can name one");
  }
  const base::Result<std::filesystem::path> folder = http::page_folder("device.js");
  if (!folder) return folder.errors();
  const std::vector<Listed> devices = listed();
  if (number >= devices.size()) {
    return base::error(fmt::format("webgpu: there is no device {}; this machine has {}", id, devices.size()));
  }
  base::Result<std::unique_ptr<Host>> started = Host::start(*folder, devices[number].adapter);
  if (!started) return started.errors();
  const std::shared_ptr<Host> host = *std::move(started);
  JsonValue asked = job("open");
  asked.add("software", false);
  const base::Result<Answer> answer = host->ask(asked, kOpenTime);
  if (!answer) return answer.errors();
  base::Result<DeviceInfo> info =
      understand<DeviceInfo>(*answer, [&](JsonFields& fields) { return described(fields, devices[number].info); });
  if (!info) return info.errors();
  if (info->is_host && devices[number].adapter == Adapter::hardware) {
    return base::error(fmt::format(
        "webgpu: the browser has no driver for this machine's GPU; webgpu:{} is its software adapter", number + 1));
  }
  return std::unique_ptr<Device>(std::make_unique<WebgpuDevice>(*std::move(info), host));
}

}  // namespace

std::vector<DeviceInfo> list_webgpu_devices() {
  std::vector<DeviceInfo> devices;
  for (Listed& one : listed()) devices.push_back(std::move(one.info));
  return devices;
}

base::Result<std::unique_ptr<Device>> open_webgpu_device(std::string_view id) {
  const base::Result<std::size_t> number = device_number(id);
  if (!number) return number.errors();
  return base::of_kind(base::ErrorKind::device, open_numbered(id, *number));
}

}  // namespace weakspot::backend

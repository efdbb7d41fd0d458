// Where programs run. Devices are found by name ("cuda:0"), opened, given a program, and run it.
//
// Life cycle: open_device() -> Device; Device::load() compiles -> LoadedProgram; LoadedProgram::run() any number of
// times, one at a time. A LoadedProgram must not outlive its Device. Both release what they hold when destroyed. No
// call is thread-safe; different devices may be used by different threads. After an error of kind `lost` the device
// and its programs are of no more use and can only be destroyed: run a device in a child process where that matters.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"

namespace weakspot::backend {

struct DeviceInfo {
  std::string id;      // "cuda:0"
  std::string name;    // as the vendor calls it
  std::string driver;  // with its version
  codegen::Target target = codegen::Target::ptx;
  codegen::TargetLimits limits;
  std::uint32_t multiprocessors = 1;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  bool is_host = false;               // a driver that computes on the host's own processor
  std::string environment = "basic";  // to use when none is named, as parse_environment takes it
};

enum class RunStatus : std::uint8_t {
  finished,
  stopped,  // the deadline passed and the program ended early when told so; what it did until then counts
  lost,     // the deadline passed and the program did not end, or the device failed
};
std::string_view to_string(RunStatus status);

struct RunResult {
  RunStatus status = RunStatus::finished;
  std::string message;                              // why it was lost
  std::uint32_t rounds = 0;                         // completed
  double device_seconds = 0;                        // of preparations and passes, as the device tells
  double host_seconds = 0;                          // the whole call
  std::vector<std::vector<std::uint32_t>> buffers;  // as Launch::buffers; empty where not read back
};

class LoadedProgram {
 public:
  LoadedProgram() = default;
  LoadedProgram(const LoadedProgram&) = delete;
  LoadedProgram& operator=(const LoadedProgram&) = delete;
  virtual ~LoadedProgram() = default;

  // How many workgroups of the entry run at the same time on the whole device; at least 1.
  virtual std::uint32_t resident_workgroups(std::uint32_t entry) const = 0;

  // Never takes much longer than the deadline. Fails for what is wrong with the launch itself (too much memory);
  // every way a started program ends is a RunResult.
  virtual base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) = 0;

  // Gives back the device memory that runs have taken; the next run takes it again. False: only destroying does that.
  virtual bool release_memory() { return false; }
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;
  virtual std::uint64_t free_bytes() = 0;
  // Compiler errors are diagnostics that point into the program's text.
  virtual base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram& program) = 0;
  // Several, in this order; at the same time where the driver can compile so.
  using Loaded = base::Result<std::unique_ptr<LoadedProgram>>;
  virtual std::vector<Loaded> load_all(std::span<const codegen::DeviceProgram* const> programs);
};

// The devices of this machine, or of one family ("cuda", or the id of a device of it), whose driver alone is opened
// then; what is not there (no driver, no card) is no error.
std::vector<DeviceInfo> list_devices();
std::vector<DeviceInfo> list_devices(std::string_view family);

// In the order in which list_devices() goes.
std::vector<std::string_view> device_families();

// Opens by id; "cuda" is "cuda:0". An id that no device can have is bad input, and the error says which devices there
// are; any other error is of kind `device`.
base::Result<std::unique_ptr<Device>> open_device(std::string_view id);

}  // namespace weakspot::backend

// SPDX-License-Identifier: MIT
// Devices that run programs. They are opened by name ("cuda:0").
//
// Life cycle: open_device() -> Device; Device::load() compiles -> LoadedProgram; LoadedProgram::run() any number of
// times, one at a time. A LoadedProgram must not outlive its Device. Both release what they hold when destroyed. Only
// load() may be thread-safe (DeviceInfo::loads_in_parallel); different threads may use different devices. After the
// status `lost` the device and its programs can only be destroyed: run a device in a child process if that matters.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/machine_code.h"
#include "base/result.h"
#include "codegen/device_program.h"

namespace weakspot::backend {

struct DeviceInfo {
  std::string id;      // "cuda:0"
  std::string name;    // the vendor's name for it
  std::string driver;  // with its version
  codegen::Target target = codegen::Target::ptx;
  codegen::TargetLimits limits;
  std::uint32_t multiprocessors = 1;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  bool is_host = false;               // a driver that computes on the host's own processor
  bool loads_in_parallel = false;     // several threads may load programs at once, also while one runs, and gain by it
  std::string environment = "basic";  // the default one, as parse_environment() reads it
};

enum class RunStatus : std::uint8_t {
  finished,
  stopped,  // the program ended early because the deadline passed; what it did until then counts
  lost,     // the deadline passed and the program did not end, or the device failed
};
std::string_view to_string(RunStatus status);

struct RunResult {
  RunStatus status = RunStatus::finished;
  std::string message;                              // why it was lost
  std::uint32_t rounds = 0;                         // completed
  double device_seconds = 0;                        // preparations and passes, as measured by the device
  double host_seconds = 0;                          // the whole call
  std::vector<std::vector<std::uint32_t>> buffers;  // in the order of Launch::buffers; empty where not read back
};

class LoadedProgram {
 public:
  LoadedProgram() = default;
  LoadedProgram(const LoadedProgram&) = delete;
  LoadedProgram& operator=(const LoadedProgram&) = delete;
  virtual ~LoadedProgram() = default;

  // The number of workgroups of the entry that run at the same time on the whole device; at least 1.
  virtual std::uint32_t resident_workgroups(std::uint32_t entry) const = 0;

  // Never takes much longer than the deadline. Fails if the launch itself is wrong (too much memory); once a program
  // has started, the result is a RunResult however it ends.
  virtual base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) = 0;

  // The machine code of the entry that is to be inspected.
  virtual MachineCode machine_code() const { return {}; }

  // Frees the device memory of earlier runs; the next run allocates it again. False: only destroying frees it.
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
  using Loaded = base::Result<std::unique_ptr<LoadedProgram>>;
  virtual Loaded load(const codegen::DeviceProgram& program) = 0;
  // Nothing loads or runs on it any more; it must be opened again.
  virtual bool lost() const { return false; }
};

// The devices of this machine, or of one family ("cuda", or the id of one of its devices): then only that family's
// driver is opened. A missing driver or card is not an error.
std::vector<DeviceInfo> list_devices();
std::vector<DeviceInfo> list_devices(std::string_view family);

// Families in the order of list_devices().
std::vector<std::string_view> device_families();

// The N of an id FAMILY:N; 0 if the id is the family alone.
base::Result<std::size_t> device_number(std::string_view id);

struct OpenOptions {
  // A process for drivers that compile one program at a time: this and the device's id must call serve_compiler().
  std::vector<std::string> compiler;
};

// Opens a device by its id; "cuda" is "cuda:0". An impossible id is bad input, and the error lists the devices of this
// machine; every other error has the kind `device`.
base::Result<std::unique_ptr<Device>> open_device(std::string_view id, const OpenOptions& options = {});

// Compiles the programs that standard input asks for, until it ends; the exit code of the process.
int serve_compiler(std::string_view id);

}  // namespace weakspot::backend

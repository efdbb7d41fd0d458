// SPDX-License-Identifier: MIT
// A compiled OpenCL program and how it is run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.h"
#include "backend/driver/owned.h"
#include "backend/driver/shared_kernels.h"
#include "backend/opencl/opencl_compilers.h"
#include "backend/opencl/opencl_driver.h"

namespace weakspot::backend::opencl {

// The device of a program.
struct DeviceContext {
  const Driver* driver = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  DeviceInfo info;
  bool is_cpu = false;
  bool is_nvidia = false;
  bool shares_memory = false;  // fine-grained: the host can write memory that a running kernel reads
  std::uint64_t largest_buffer = 0;
  bool lost = false;  // a kernel did not end: nothing else can run
};

// Source that the driver has built, and what its compiler said.
struct Built {
  Owned<cl_program, ReleaseBy<Driver, &Driver::ReleaseProgram>> program;
  std::string log;
};

// Memory that the host and running kernels share.
struct FreeShared {
  const DeviceContext* context = nullptr;
  void operator()(std::uint32_t* words) const { context->driver->SVMFree(context->context, words); }
};

struct Allocation {
  Owned<std::uint32_t*, FreeShared> shared;  // only the control buffer, if possible; released after `memory`
  Owned<cl_mem, ReleaseBy<Driver, &Driver::ReleaseMemObject>> memory;
  std::uint64_t words = 0;
};

// How the kernels of a device come about: those that are compiled already, and who compiles others.
struct Compiling {
  explicit Compiling(std::vector<std::string> command) : processes(std::move(command)) {}

  SharedKernels<Built> kernels;
  Compilers processes;
};

// Buffers and the queue, shared by the programs of a device because one of them runs at a time: the next one need not
// allocate again.
struct Workplace {
  using OwnedQueue = Owned<cl_command_queue, ReleaseBy<Driver, &Driver::ReleaseCommandQueue>>;

  std::vector<Allocation> buffers;  // by their numbers
  OwnedQueue queue;
  OwnedQueue side_queue;
};

// Compiles, from any thread; errors point into the program's text. What it is given must outlive the program.
base::Result<std::unique_ptr<LoadedProgram>> load_program(DeviceContext& context, Compiling& compiling,
                                                          Workplace& place, const codegen::DeviceProgram& program);

// Nothing if the text has errors or the driver does not give binaries.
std::optional<Compiled> compile_for_others(const DeviceContext& context, const std::string& text);

// The compiler's log as diagnostics. Log lines with a position ("file:12:8: error: ...", "<kernel>:12:8: ...") show
// that line of the text.
base::Diagnostics compile_errors(const std::string& text, std::string_view log, const std::string& reason);

// The number of workgroups that one NVIDIA multiprocessor holds at once, limited by threads, registers and shared
// memory.
std::uint32_t nvidia_occupancy(std::uint32_t workgroup_size, std::uint32_t registers, std::uint64_t shared_bytes);
// The entry's register count according to the verbose log; 0 if the log does not say.
std::uint32_t registers_in_log(std::string_view log, std::string_view entry);

}  // namespace weakspot::backend::opencl

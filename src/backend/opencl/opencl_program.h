// A compiled OpenCL program and how it is run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/device.h"
#include "backend/opencl/opencl_driver.h"

namespace weakspot::backend::opencl {

// What a program needs to know of its device.
struct DeviceContext {
  const Driver* driver = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  DeviceInfo info;
  bool is_cpu = false;
  bool is_nvidia = false;
  bool shares_memory = false;  // fine-grained: the host can write what a running kernel reads
  std::uint64_t largest_buffer = 0;
  bool lost = false;  // a kernel did not end: nothing more can be run
};

// Compiles; errors point into the program's text. `context` must outlive the program.
base::Result<std::unique_ptr<LoadedProgram>> load_program(DeviceContext& context,
                                                          const codegen::DeviceProgram& program);

// The compiler's log as diagnostics: each line that names a place ("file:12:8: error: ...", "<kernel>:12:8: ...")
// shows the line of the text.
base::Diagnostics compile_errors(const std::string& text, std::string_view log, const std::string& reason);

// Workgroups of that size that one NVIDIA multiprocessor holds at once, by threads, registers and shared memory.
std::uint32_t nvidia_occupancy(std::uint32_t workgroup_size, std::uint32_t registers, std::uint64_t shared_bytes);
// What the verbose log says the entry uses; 0 if it does not say.
std::uint32_t registers_in_log(std::string_view log, std::string_view entry);

}  // namespace weakspot::backend::opencl

// SPDX-License-Identifier: MIT
#include "backend/opencl/opencl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "backend/opencl/opencl_driver.h"
#include "backend/opencl/opencl_program.h"

namespace weakspot::backend {
namespace {

using opencl::device_text;
using opencl::device_value;
using opencl::DeviceHandle;
using opencl::Driver;

// NVIDIA's properties of devices (cl_nv_device_attribute_query).
constexpr cl_device_info kNvidiaMajor = 0x4000;
constexpr cl_device_info kNvidiaMinor = 0x4001;
constexpr cl_device_info kNvidiaWarpSize = 0x4003;

bool has_word(const std::string& words, std::string_view word) {
  const std::size_t at = words.find(word);
  return at != std::string::npos && (at + word.size() == words.size() || words[at + word.size()] == ' ');
}

// The optional features of OpenCL C 3.0 that the device's compiler has.
std::string language_features(const Driver& driver, cl_device_id device) {
  std::size_t size = 0;
  if (driver.GetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  if (driver.GetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr) != CL_SUCCESS) {
    return {};
  }
  std::string text;
  for (const cl_name_version& feature : features) text += std::string(feature.name) + " ";
  return text;
}

codegen::OpenclLimits atomics_of(const Driver& driver, cl_device_id device, bool nvidia) {
  const std::string features = language_features(driver, device);
  const std::string extensions = device_text(driver, device, CL_DEVICE_EXTENSIONS);
  codegen::OpenclLimits limits;
  limits.acquire_release = has_word(features, "__opencl_c_atomic_order_acq_rel");
  limits.seq_cst = has_word(features, "__opencl_c_atomic_order_seq_cst");
  limits.device_scope = has_word(features, "__opencl_c_atomic_scope_device");
  limits.all_devices_scope = has_word(features, "__opencl_c_atomic_scope_all_devices");
  limits.subgroups = has_word(features, "__opencl_c_subgroups");
  limits.atomics64 =
      has_word(extensions, "cl_khr_int64_base_atomics") && has_word(extensions, "cl_khr_int64_extended_atomics");
  if (!limits.device_scope || !limits.acquire_release) {
    limits.mapping = nvidia ? codegen::OpenclMapping::inline_ptx : codegen::OpenclMapping::legacy;
  }
  return limits;
}

opencl::DeviceContext describe_device(const Driver& driver, const DeviceHandle& handle, std::size_t ordinal) {
  opencl::DeviceContext context;
  context.driver = &driver;
  context.device = handle.device;
  const cl_device_id device = handle.device;
  const auto type = device_value<cl_device_type>(driver, device, CL_DEVICE_TYPE);
  context.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  const auto warp = device_value<cl_uint>(driver, device, kNvidiaWarpSize, 0);
  context.is_nvidia = warp != 0;
  const auto svm = device_value<cl_device_svm_capabilities>(driver, device, CL_DEVICE_SVM_CAPABILITIES, 0);
  context.shares_memory = (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  context.largest_buffer = device_value<cl_ulong>(driver, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);

  DeviceInfo& info = context.info;
  info.id = fmt::format("opencl:{}", ordinal);
  info.name = device_text(driver, device, CL_DEVICE_NAME);
  info.driver = fmt::format("{} {}", opencl::platform_text(driver, handle.platform, CL_PLATFORM_NAME),
                            device_text(driver, device, CL_DRIVER_VERSION));
  info.target = codegen::Target::opencl;
  info.is_host = context.is_cpu;
  info.loads_in_parallel = !context.is_cpu;
  info.multiprocessors = std::max<std::uint32_t>(device_value<cl_uint>(driver, device, CL_DEVICE_MAX_COMPUTE_UNITS), 1);
  // If a driver has more threads than processors, they take turns.
  const unsigned processors = std::thread::hardware_concurrency();
  if (context.is_cpu && processors != 0) info.multiprocessors = std::min(info.multiprocessors, processors);
  info.memory_bytes = device_value<cl_ulong>(driver, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.l2_bytes = device_value<cl_ulong>(driver, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  codegen::TargetLimits& limits = info.limits;
  limits.max_workgroup_size =
      static_cast<std::uint32_t>(device_value<std::size_t>(driver, device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  limits.max_shared_bytes = static_cast<std::uint32_t>(
      std::min<cl_ulong>(device_value<cl_ulong>(driver, device, CL_DEVICE_LOCAL_MEM_SIZE), UINT32_MAX));
  limits.opencl = atomics_of(driver, device, context.is_nvidia);
  // Without information about subgroups, each thread is one.
  limits.subgroup_size = warp == 0 ? 1 : warp;
  limits.ptx_arch = device_value<cl_uint>(driver, device, kNvidiaMajor, 0) * 10 +
                    device_value<cl_uint>(driver, device, kNvidiaMinor, 0);
  return context;
}

// The first feature that every test needs and the device lacks.
std::optional<std::string> lacking(const Driver& driver, const opencl::DeviceContext& context) {
  const cl_device_id device = context.device;
  if (device_value<cl_bool>(driver, device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) return "a compiler";
  if (device_value<cl_uint>(driver, device, CL_DEVICE_ADDRESS_BITS) != 64) return "addresses of 64 bits";
  const std::string version = device_text(driver, device, CL_DEVICE_VERSION);
  if (version.starts_with("OpenCL 1.")) return "OpenCL 2.0 or newer (it has " + version.substr(0, 10) + ")";
  if (!context.info.limits.opencl.atomics64) return "64-bit atomics (cl_khr_int64_base_atomics)";
  return std::nullopt;
}

class OpenclDevice final : public Device {
 public:
  OpenclDevice(opencl::DeviceContext context, std::vector<std::string> compiler)
      : context_(std::move(context)), compiling_(std::move(compiler)) {}
  ~OpenclDevice() override {
    // A lost kernel may still use the workplace, so it is leaked.
    if (context_.lost) new opencl::Workplace(std::move(place_));
    place_ = {};
    context_.driver->ReleaseContext(context_.context);
  }

  const DeviceInfo& info() const override { return context_.info; }

  // OpenCL does not report free memory; for the host's memory the system does.
  std::uint64_t free_bytes() override {
    std::uint64_t free = context_.info.memory_bytes;
    if (context_.is_cpu) {
      free = std::min(free, static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES)) *
                                static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
    }
    return std::min(free, context_.largest_buffer);
  }

  base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    if (std::atomic_ref(context_.lost).load()) return base::error(fmt::format("opencl: {} was lost", context_.info.id));
    return opencl::load_program(context_, compiling_, place_, program);
  }

 private:
  opencl::DeviceContext context_;
  opencl::Compiling compiling_;
  opencl::Workplace place_;
};

}  // namespace

std::vector<DeviceInfo> list_opencl_devices() {
  std::vector<DeviceInfo> devices;
  const base::Result<const Driver*> driver = opencl::driver();
  if (!driver) return devices;
  const std::vector<DeviceHandle> handles = opencl::all_devices(**driver);
  for (std::size_t i = 0; i < handles.size(); ++i) devices.push_back(describe_device(**driver, handles[i], i).info);
  return devices;
}

namespace {

base::Result<opencl::DeviceContext> open_context(std::string_view id, std::size_t ordinal) {
  const base::Result<const Driver*> driver = opencl::driver();
  if (!driver) return driver.errors();
  std::vector<std::string> silent;
  const std::vector<DeviceHandle> handles = opencl::all_devices(**driver, &silent);
  if (ordinal >= handles.size()) {
    std::string why;
    for (const std::string& platform : silent) why += fmt::format("; platform {}", platform);
    return base::error(fmt::format("opencl: there is no device {}; this machine has {}{}", id, handles.size(), why));
  }
  opencl::DeviceContext context = describe_device(**driver, handles[ordinal], ordinal);
  if (const std::optional<std::string> missing = lacking(**driver, context)) {
    return base::error(
        fmt::format("opencl: {} ({}) cannot run tests: it lacks {}", context.info.id, context.info.name, *missing));
  }
  cl_int code = CL_SUCCESS;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(handles[ordinal].platform), 0};
  context.context = (*driver)->CreateContext(properties, 1, &context.device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) return base::error(fmt::format("opencl: context: {}", opencl::describe(code)));
  return context;
}

base::Result<opencl::DeviceContext> open_context(std::string_view id) {
  const base::Result<std::size_t> number = device_number(id);
  if (!number) return number.errors();
  return base::of_kind(base::ErrorKind::device, open_context(id, *number));
}

}  // namespace

base::Result<std::unique_ptr<Device>> open_opencl_device(std::string_view id, std::vector<std::string> compiler) {
  base::Result<opencl::DeviceContext> context = open_context(id);
  if (!context) return context.errors();
  if (!context->is_nvidia) compiler.clear();
  if (!compiler.empty()) compiler.push_back(context->info.id);
  return std::unique_ptr<Device>(std::make_unique<OpenclDevice>(*std::move(context), std::move(compiler)));
}

int serve_opencl_compiler(std::string_view id) {
  const base::Result<opencl::DeviceContext> context = open_context(id);
  if (!context) {
    std::fputs(base::render(context.errors()).c_str(), stderr);
    return 3;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const std::optional<std::string> text = opencl::text_from_line(line);
    if (!text) return 2;
    const std::optional<opencl::Compiled> compiled = opencl::compile_for_others(*context, *text);
    std::puts(opencl::to_line(compiled.value_or(opencl::Compiled{})).c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace weakspot::backend

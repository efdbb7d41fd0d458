// SPDX-License-Identifier: MIT
#include "backend/mixed/mixed.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "backend/cpu/cpu.h"
#include "backend/cpu/cpu_assemble.h"
#include "backend/cpu/cpu_run.h"
#include "backend/cuda/cuda.h"
#include "backend/mixed/cuda_side.h"
#include "base/check.h"

namespace weakspot::backend {
namespace {

using cuda::Code;
using cuda::Driver;
using cuda::kSuccess;

constexpr std::string_view kSuffix = "+cpu";

bool has_host_atomics(std::size_t number) {
  const base::Result<const Driver*> driver = cuda::driver();
  cuda::DeviceNumber device = 0;
  int atomics = 0;
  return driver && (*driver)->DeviceGet(&device, static_cast<int>(number)) == kSuccess &&
         (*driver)->DeviceGetAttribute(&atomics, cuda::kHostNativeAtomics, device) == kSuccess && atomics != 0;
}

// The GPU's description, with what the CPU adds. The environment is the first of the sweep.
DeviceInfo joined(DeviceInfo gpu, std::size_t number) {
  const DeviceInfo cpu = list_cpu_devices().front();
  gpu.id += kSuffix;
  gpu.name += " and " + cpu.name;
  gpu.driver += ", " + cpu.driver;
  gpu.target = codegen::Target::mixed;
  gpu.limits.cpu = cpu.limits.cpu;
  gpu.limits.host_atomics = has_host_atomics(number);
  gpu.loads_in_parallel = false;
  gpu.memory_bytes = std::min(gpu.memory_bytes, cpu.memory_bytes);
  gpu.environment = "workgroup_size=32,testing_workgroups=8,layout=arrays,memory_stride=16";
  return gpu;
}

class MixedLoaded final : public LoadedProgram {
 public:
  MixedLoaded(const CudaPlace& place, const DeviceInfo& info, std::shared_ptr<const codegen::MixedProgram> program,
              std::unique_ptr<CudaKernel> kernel, std::unique_ptr<CpuFunctions> functions)
      : place_(place),
        info_(info),
        program_(std::move(program)),
        kernel_(std::move(kernel)),
        functions_(std::move(functions)),
        tuner_(program_->start_delay) {
    for (std::size_t i = 0; i < program_->cpu_roles.size(); ++i) roles_.push_back(functions_->at(i));
  }
  ~MixedLoaded() override { place_.driver->CtxSetCurrent(place_.context); }  // for what the members release

  std::uint32_t resident_workgroups(std::uint32_t) const override {
    place_.driver->CtxSetCurrent(place_.context);
    return std::max(1u, kernel_->resident(program_->workgroup_size) * info_.multiprocessors);
  }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    place_.driver->CtxSetCurrent(place_.context);
    const std::uint32_t fit = resident_workgroups(0);
    if (launch.passes.front().workgroups > fit) {
      return base::error(fmt::format("cuda: {} workgroups of {} threads must run at once; {} fit on {}",
                                     launch.passes.front().workgroups, program_->workgroup_size, fit, info_.id));
    }
    if (!gpu_) {
      base::Result<std::unique_ptr<GpuSide>> made = make_cuda_side(place_, *kernel_, *program_, launch);
      if (!made) return made.errors();
      gpu_ = *std::move(made);
    }
    return run_mixed(*program_, roles_, *gpu_, launch, usable_cores(), tuner_, deadline);
  }

  bool release_memory() override {
    place_.driver->CtxSetCurrent(place_.context);
    gpu_.reset();
    return true;
  }

 private:
  CudaPlace place_;
  const DeviceInfo& info_;
  std::shared_ptr<const codegen::MixedProgram> program_;
  std::unique_ptr<CudaKernel> kernel_;
  std::unique_ptr<CpuFunctions> functions_;
  std::vector<codegen::CpuFunction> roles_;
  std::unique_ptr<GpuSide> gpu_;  // once it has run
  DelayTuner tuner_;
};

class MixedDevice final : public Device {
 public:
  MixedDevice(CudaPlace place, DeviceInfo info) : place_(place), info_(std::move(info)) {}
  ~MixedDevice() override { place_.driver->DevicePrimaryCtxRelease(place_.device); }

  const DeviceInfo& info() const override { return info_; }

  // Memory that may be pinned: the CPU's memory bounds it.
  std::uint64_t free_bytes() override {
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
  }

  Loaded load(const codegen::DeviceProgram& program) override {
    WEAKSPOT_CHECK(program.target == codegen::Target::mixed && program.mixed);
    place_.driver->CtxSetCurrent(place_.context);
    std::vector<const codegen::CpuCode*> codes;
    for (const std::uint32_t role : program.mixed->cpu_roles) codes.push_back(&program.mixed->host.roles[role].code);
    base::Result<std::unique_ptr<CpuFunctions>> functions = CpuFunctions::make(codes);
    if (!functions) return functions.errors();
    const codegen::Entry& entry = program.entries.front();
    base::Result<std::unique_ptr<CudaKernel>> kernel = CudaKernel::compile(*place_.driver, entry.text, entry.name);
    if (!kernel) return kernel.errors();
    return std::unique_ptr<LoadedProgram>(
        std::make_unique<MixedLoaded>(place_, info_, program.mixed, *std::move(kernel), *std::move(functions)));
  }

 private:
  CudaPlace place_;
  DeviceInfo info_;
};

base::Result<std::unique_ptr<Device>> open_numbered(std::string_view id, std::size_t number) {
  const base::Result<const Driver*> driver = cuda::driver();
  const std::vector<DeviceInfo> gpus = list_cuda_devices();
  if (!driver || number >= gpus.size()) {
    return base::error(fmt::format("{} needs the CUDA device cuda:{}, which this machine does not have", id, number));
  }
  if ((*driver)->MemHostAlloc == nullptr) {
    return base::error(fmt::format("{}: the driver is too old: it has no memory that the host shares", id));
  }
  CudaPlace place;
  place.driver = *driver;
  Code code = (*driver)->DeviceGet(&place.device, static_cast<int>(number));
  int maps = 0;
  if (code == kSuccess) code = (*driver)->DeviceGetAttribute(&maps, cuda::kCanMapHostMemory, place.device);
  if (code == kSuccess && maps == 0) {
    return base::error(fmt::format("{}: the GPU cannot access memory of the CPU", id));
  }
  if (code == kSuccess) code = (*driver)->DevicePrimaryCtxRetain(&place.context, place.device);
  if (code != kSuccess) return base::error(fmt::format("cuda: context: {}", (*driver)->describe(code)));
  return std::unique_ptr<Device>(std::make_unique<MixedDevice>(place, joined(gpus[number], number)));
}

}  // namespace

std::vector<DeviceInfo> list_mixed_devices() {
  std::vector<DeviceInfo> devices;
  for (DeviceInfo& gpu : list_cuda_devices()) devices.push_back(joined(std::move(gpu), devices.size()));
  return devices;
}

base::Result<std::unique_ptr<Device>> open_mixed_device(std::string_view id) {
  const std::string_view gpu = id.substr(0, id.size() - kSuffix.size());
  const base::Result<std::size_t> number = device_number(gpu);
  if (!number) return number.errors();
  return base::of_kind(base::ErrorKind::device, open_numbered(id, *number));
}

}  // namespace weakspot::backend

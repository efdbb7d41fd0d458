// SPDX-License-Identifier: MIT
#include "backend/cpu/cpu.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <fstream>
#include <string>

#include "backend/cpu/cpu_assemble.h"
#include "backend/cpu/cpu_kernels.h"
#include "backend/cpu/cpu_run.h"
#include "base/check.h"

namespace weakspot::backend {
namespace {

codegen::CpuFeatures features() {
  codegen::CpuFeatures found;
#if defined(__aarch64__)
  constexpr unsigned long kAtomics = 1ul << 8;
  constexpr unsigned long kLrcpc = 1ul << 15;
  const unsigned long bits = getauxval(AT_HWCAP);
  found.lse = (bits & kAtomics) != 0;
  found.rcpc = (bits & kLrcpc) != 0;
#endif
  return found;
}

// The first value of a key in /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

// Arm's own cores, whose names the kernel does not give.
std::string arm_core(const std::string& implementer, const std::string& part) {
  static constexpr std::pair<std::string_view, std::string_view> kParts[] = {
      {"0xd03", "Cortex-A53"},  {"0xd05", "Cortex-A55"},  {"0xd07", "Cortex-A57"},  {"0xd08", "Cortex-A72"},
      {"0xd09", "Cortex-A73"},  {"0xd0b", "Cortex-A76"},  {"0xd0c", "Neoverse-N1"}, {"0xd40", "Neoverse-V1"},
      {"0xd49", "Neoverse-N2"}, {"0xd4f", "Neoverse-V2"}, {"0xd84", "Neoverse-V3"}, {"0xd8e", "Neoverse-N3"},
  };
  if (implementer == "0x41") {
    for (const auto& [number, name] : kParts) {
      if (part == number) return std::string(name);
    }
  }
  return fmt::format("AArch64 implementer {} part {}", implementer, part);
}

std::string cpu_name() {
  if (std::string name = cpuinfo("model name"); !name.empty()) return name;
  const std::string implementer = cpuinfo("CPU implementer");
  if (implementer.empty()) return std::string(to_string(codegen::kNativeIsa));
  return arm_core(implementer, cpuinfo("CPU part"));
}

std::uint64_t memory_pages(int name) {
  const long pages = sysconf(name);
  const long size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

DeviceInfo describe() {
  DeviceInfo info;
  info.id = "cpu";
  info.name = cpu_name();
  utsname system = {};
  if (uname(&system) == 0) info.driver = fmt::format("{} {}", system.sysname, system.release);
  info.target = codegen::Target::cpu;
  info.environment = "layout=arrays,memory_stride=16,second_stride=1,role_order=by_block";
  info.limits.subgroup_size = 1;
  info.limits.cpu = features();
  info.multiprocessors = static_cast<std::uint32_t>(usable_cores().size());
  info.memory_bytes = memory_pages(_SC_PHYS_PAGES);
  return info;
}

class CpuLoaded final : public LoadedProgram {
 public:
  CpuLoaded(std::shared_ptr<const codegen::CpuProgram> program, std::unique_ptr<CpuFunctions> functions,
            std::vector<int> cores)
      : program_(std::move(program)), functions_(std::move(functions)), cores_(std::move(cores)) {
    for (std::size_t i = 0; i < program_->roles.size(); ++i) roles_.push_back(functions_->at(i));
  }

  std::uint32_t resident_workgroups(std::uint32_t) const override { return static_cast<std::uint32_t>(cores_.size()); }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    if (launch.bytes() > memory_pages(_SC_PHYS_PAGES)) {
      return base::error(
          fmt::format("cpu: out of memory: the run needs {} MiB, more than this machine has", launch.bytes() >> 20));
    }
    return run_cpu(*program_, roles_, launch, cores_, deadline);
  }

  MachineCode machine_code() const override {
    MachineCode code;
    code.form = program_->isa == codegen::CpuIsa::aarch64 ? CodeForm::aarch64 : CodeForm::x86_64;
    for (std::size_t i = 0; i < roles_.size(); ++i) code.functions.push_back(functions_->bytes(i));
    return code;
  }

 private:
  std::shared_ptr<const codegen::CpuProgram> program_;
  std::unique_ptr<CpuFunctions> functions_;
  std::vector<int> cores_;
  std::vector<codegen::CpuFunction> roles_;
};

class CpuDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }
  std::uint64_t free_bytes() override { return memory_pages(_SC_AVPHYS_PAGES); }

  base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    WEAKSPOT_CHECK(program.target == codegen::Target::cpu && (program.cpu || program.cpu_kernels));
    const codegen::CpuIsa isa = program.cpu ? program.cpu->isa : program.cpu_kernels->isa;
    if (isa != codegen::kNativeIsa) {
      return base::error(fmt::format("cpu: the program is for {}; this machine is {}", to_string(isa),
                                     to_string(codegen::kNativeIsa)));
    }
    base::Result<std::unique_ptr<CpuFunctions>> functions = CpuFunctions::make(codes_of(program));
    if (!functions) return functions.errors();
    if (program.cpu_kernels) return load_cpu_kernels(program.cpu_kernels, *std::move(functions), usable_cores());
    return std::unique_ptr<LoadedProgram>(
        std::make_unique<CpuLoaded>(program.cpu, *std::move(functions), usable_cores()));
  }

 private:
  static std::vector<const codegen::CpuCode*> codes_of(const codegen::DeviceProgram& program) {
    std::vector<const codegen::CpuCode*> codes;
    if (program.cpu) {
      for (const codegen::CpuRole& role : program.cpu->roles) codes.push_back(&role.code);
    } else {
      for (const codegen::CpuKernel& kernel : program.cpu_kernels->kernels) codes.push_back(&kernel.code);
    }
    return codes;
  }

  DeviceInfo info_ = describe();
};

}  // namespace

std::vector<DeviceInfo> list_cpu_devices() { return {describe()}; }

base::Result<std::unique_ptr<Device>> open_cpu_device(std::string_view id) {
  if (id != "cpu" && id != "cpu:0") return base::error(fmt::format("unknown device '{}'; expected cpu", id));
  return std::unique_ptr<Device>(std::make_unique<CpuDevice>());
}

}  // namespace weakspot::backend

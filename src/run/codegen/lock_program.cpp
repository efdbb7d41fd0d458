// SPDX-License-Identifier: MIT
#include "codegen/lock_program.h"

#include <fmt/format.h>

#include "codegen/buffer_words.h"
#include "codegen/cpu/lower_kernel.h"
#include "codegen/lock/lock_kernels.h"
#include "codegen/print/kernel_program.h"

namespace weakspot::codegen {
namespace {

// The reason why the target cannot run a lock with these fences; empty if it can.
std::string lacking(LockFences fences, Target target, const TargetLimits& limits) {
  const bool fenced = fences != LockFences::none;
  if (target == Target::wgsl) return fenced ? "WGSL has no fences between workgroups" : "";
  if (target != Target::opencl || limits.opencl.mapping != OpenclMapping::c11) return "";
  if (!limits.opencl.device_scope) return "the device has no device-scope atomics (memory_scope_device)";
  if (fenced && !limits.opencl.acquire_release) {
    return "the device has no acquire and release atomics (memory_order_acq_rel)";
  }
  return "";
}

DeviceProgram cpu_program(const KernelModule& kernels, const TargetLimits& limits) {
  DeviceProgram program;
  program.target = Target::cpu;
  program.buffers = kernels.buffers;
  auto lowered = std::make_shared<CpuKernels>(lower_kernels(kernels, limits.cpu));
  for (std::size_t i = 0; i < kernels.kernels.size(); ++i) {
    program.entries.push_back({kernels.kernels[i].name, 1, 0, {}, {}, {}});
    program.text += fmt::format("{}:  ; {}\n{}", kernels.kernels[i].name, to_string(lowered->isa),
                                print_cpu(lowered->isa, lowered->kernels[i].code));
  }
  program.cpu_kernels = std::move(lowered);
  return program;
}

}  // namespace

base::Result<LockProgram> LockProgram::compile(LockKind kind, LockFences fences, Target target,
                                               const TargetLimits& limits) {
  if (target == Target::mixed) return base::error("locks run on one processor, not on a CPU and a GPU together");
  if (const std::string lacks = lacking(fences, target, limits); !lacks.empty()) return base::error(lacks);
  const KernelModule kernels = lock_kernels(kind, fences);
  LockProgram made;
  made.program_ = target == Target::cpu ? cpu_program(kernels, limits) : print_kernels(kernels, target, limits);
  return made;
}

Launch LockProgram::plan(const LockPlan& plan) const {
  Launch launch;
  launch.buffers.resize(kLockBuffers);
  BufferSetup& control = launch.buffers[kLockControl];
  control.words = kLockControlWords;
  control.content.resize(kLockControlWords);
  control.content[kLockSections] = plan.sections;
  control.content[kLockContenders] = plan.contenders;
  control.content[kLockSpinBound] = plan.spin_bound;
  launch.buffers[kLockWords].words = lock_words(plan);
  launch.buffers[kLockData].words = lock_data_words(plan);
  launch.buffers[kLockProgress].words = kLockProgressWords;
  for (const LockBuffer buffer : {kLockWords, kLockData, kLockProgress}) launch.buffers[buffer].zero_each_round = true;
  BufferSetup& counts = launch.buffers[kLockCounts];
  counts.words = kLockCountWords;
  counts.zero_first = true;
  counts.read_back = true;
  launch.passes = {{kContend, plan.contenders, true}, {1, 1, false}};
  launch.rounds = plan.rounds;
  launch.control = kLockControl;
  launch.round_word = kLockRound;
  launch.stop_word = kLockStop;
  return launch;
}

LockCounts LockProgram::decode(const std::vector<std::vector<std::uint32_t>>& buffers) const {
  const std::vector<std::uint32_t>& words = buffers.at(kLockCounts);
  LockCounts counts;
  counts.runs = two_words(words, kLockRuns);
  counts.unfinished = two_words(words, kLockUnfinished);
  counts.failed_runs = two_words(words, kLockFailed);
  counts.lost_updates = two_words(words, kLockLost);
  counts.sections = two_words(words, kLockAllSections);
  return counts;
}

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "campaign/lock_table.h"

namespace weakspot::campaign {
namespace {

using codegen::LockPlan;
using codegen::LockProgram;

// Critical sections of one run: some milliseconds on a GPU and on a CPU.
constexpr std::uint32_t kRunSections = 1u << 14;
constexpr std::uint32_t kLeastSections = 16;
// Waits are bounded by polls. A poll takes nanoseconds on a CPU, where a holder may lose its core for a while, and
// about a microsecond on a GPU.
constexpr std::uint32_t kGpuPolls = 1u << 20;
constexpr std::uint32_t kCpuPolls = 1u << 26;
// A launch is as long as this, so that the time of starting it does not matter.
constexpr double kSecondsOfALaunch = 0.1;
constexpr auto kDeadline = std::chrono::seconds(10);

LockPlan plan_for(const backend::DeviceInfo& info, const LockRequest& request, std::uint32_t resident) {
  LockPlan plan;
  const std::uint32_t wanted = request.contenders != 0 ? request.contenders : std::max(info.multiprocessors, 2u);
  plan.contenders = std::min(wanted, resident);
  plan.sections =
      request.sections != 0 ? request.sections : std::max(kRunSections / std::max(plan.contenders, 1u), kLeastSections);
  // A device that leaves loops after so many rounds in all must reach its end before: a section takes hundreds.
  if (const std::uint32_t rounds = info.limits.loop_rounds; rounds != 0) {
    plan.sections = std::min(plan.sections, std::max(rounds / 1024, 1u));
  }
  const bool on_cpu = info.target == codegen::Target::cpu || info.is_host;
  plan.spin_bound = on_cpu ? kCpuPolls : kGpuPolls;
  return plan;
}

void add(const codegen::LockCounts& more, codegen::LockCounts& sum) {
  sum.runs += more.runs;
  sum.unfinished += more.unfinished;
  sum.failed_runs += more.failed_runs;
  sum.lost_updates += more.lost_updates;
  sum.sections += more.sections;
}

void fail(LockRow& row, std::string problem) {
  row.problem = std::move(problem);
  row.failed = true;
}

}  // namespace

LockRow measure_lock(backend::Device& device, const LockRequest& request) {
  LockRow row;
  row.kind = request.kind;
  row.fences = request.fences;
  const backend::DeviceInfo& info = device.info();
  const auto program = LockProgram::compile(request.kind, request.fences, info.target, info.limits);
  if (!program) {
    row.problem = base::messages(program.errors());
    return row;
  }
  const auto loaded = device.load(program->program());
  if (!loaded) {
    fail(row, base::messages(loaded.errors()));
    return row;
  }
  LockPlan plan = plan_for(info, request, (*loaded)->resident_workgroups(LockProgram::kContend));
  row.contenders = plan.contenders;
  row.sections = plan.sections;
  if (plan.contenders < 2) {
    row.problem = "the device runs one workgroup at a time";
    return row;
  }
  while (row.seconds < request.seconds && (request.stop == nullptr || !request.stop->load())) {
    const base::Result<backend::RunResult> ran = (*loaded)->run(program->plan(plan), kDeadline);
    if (!ran) {
      fail(row, base::messages(ran.errors()));
      return row;
    }
    if (ran->status == backend::RunStatus::lost) {
      fail(row, ran->message);
      return row;
    }
    add(program->decode(ran->buffers), row.counts);
    row.seconds += ran->device_seconds;
    if (ran->status == backend::RunStatus::stopped) return row;
    const double each = std::max(ran->device_seconds / plan.rounds, 1e-6);
    const double left = std::min(kSecondsOfALaunch, request.seconds - row.seconds);
    plan.rounds = static_cast<std::uint32_t>(std::clamp(left / each, 1.0, 1e4));
  }
  return row;
}

}  // namespace weakspot::campaign

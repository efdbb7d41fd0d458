// SPDX-License-Identifier: MIT
#include "codegen/cpu/cpu_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/harness/launch_plan.h"

namespace weakspot::codegen {
namespace {

struct Workers {
  std::uint32_t teams = 1;
  std::uint32_t team_size = 1;
  std::uint32_t stressing = 0;
};

Workers choose_workers(const Harness& harness, const CpuProgram& program, std::uint32_t cores) {
  const std::uint32_t percent = static_cast<std::uint32_t>(harness.environment.occupancy_percent);
  const std::uint32_t usable = std::max(1u, static_cast<std::uint32_t>(std::uint64_t{cores} * percent / 100));
  Workers workers;
  workers.team_size = program.team_size(usable);
  const std::uint32_t testing = program.memory_stress ? std::max(usable / 2, workers.team_size) : usable;
  workers.teams = std::max(1u, testing / workers.team_size);
  const std::uint32_t busy = workers.teams * workers.team_size;
  workers.stressing = program.memory_stress && usable > busy ? usable - busy : 0;
  return workers;
}

}  // namespace

base::Result<PlannedRun> plan_cpu(const Harness& harness, const CpuProgram& program, const PlanOptions& options) {
  const TestEnvironment& e = harness.environment;
  const Workers workers = choose_workers(harness, program, options.resident_workgroups);
  PlannedRun run;
  run.shape = {program.workgroups, program.workgroups + workers.stressing, harness.draws_plan() ? kPlanRowCount : 0};
  run.instances = program.instances;
  auto iterations = static_cast<std::uint32_t>(e.iterations);
  if (options.most_instances != 0) {
    const std::uint64_t wanted = options.most_instances / (std::uint64_t{program.instances} * workers.teams);
    iterations = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, iterations));
  }
  run.iterations = iterations * workers.teams;

  const std::uint64_t team_bytes = program.slice_bytes + program.result_bytes;
  if (team_bytes * workers.teams > options.memory_bytes) {
    return base::error(
        fmt::format("{}: out of memory: {} instances at a time need {} KiB, more than the {} KiB they "
                    "may use",
                    harness.test.name, program.instances * workers.teams, team_bytes * workers.teams / 1024 + 1,
                    options.memory_bytes / 1024));
  }
  run.launch = begin_launch(harness, run.shape, options);
  std::vector<BufferSetup>& buffers = run.launch.buffers;
  buffers[kMemoryBuffer] = {.words = program.slice_bytes / 4 * workers.teams};
  buffers[kResultBuffer] = {.words = program.result_bytes / 4 * workers.teams};
  std::vector<std::uint32_t>& control = buffers[kControlBuffer].content;
  control[kIterations] = iterations;
  control[kTesting] = run.shape.testing;
  control[kWorkgroups] = run.shape.workgroups;
  control[kInstances] = program.instances;
  control[kPlanRows] = run.shape.rows;
  control[kSpinBound] = static_cast<std::uint32_t>(e.spin_bound);
  control[kStressRounds] = static_cast<std::uint32_t>(e.memory_stress_iterations);
  control[kPreStressRounds] = static_cast<std::uint32_t>(e.pre_stress_iterations);
  control[kTeams] = workers.teams;
  control[kTeamSize] = workers.team_size;
  run.launch.passes.push_back({0, workers.teams * workers.team_size + workers.stressing, true});
  return run;
}

}  // namespace weakspot::codegen

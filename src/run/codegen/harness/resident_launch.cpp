// SPDX-License-Identifier: MIT
#include <algorithm>

#include "codegen/harness/launch_plan.h"
#include "codegen/harness/resident_run.h"

namespace weakspot::codegen {
namespace {

constexpr std::uint64_t kMostResidentEntries = 1u << 31;  // per round

// The most workgroups that fit and the environment allows, in whole clusters. No cluster waits for another one.
std::uint32_t choose_workgroups(const Harness& harness, std::uint32_t fitting) {
  const TestEnvironment& e = harness.environment;
  std::uint64_t workgroups = std::uint64_t{fitting} * static_cast<std::uint64_t>(e.occupancy_percent) / 100;
  for (const int most : {e.testing_workgroups, e.max_workgroups}) {
    if (most != 0) workgroups = std::min(workgroups, static_cast<std::uint64_t>(most));
  }
  const std::uint32_t cluster = harness.roles.workgroups;
  return std::max(cluster, static_cast<std::uint32_t>(workgroups) / cluster * cluster);
}

}  // namespace

base::Result<PlannedRun> plan_resident(const Harness& harness, const PlanOptions& options) {
  const ResidentLayout& layout = *harness.resident();
  PlannedRun run;
  const std::uint32_t workgroups = choose_workgroups(harness, options.resident_workgroups);
  run.shape = {workgroups, workgroups, 0};
  run.instances = std::uint64_t{workgroups / harness.roles.workgroups} * layout.instances_per_row();
  run.launch = begin_launch(harness, run.shape, options);
  std::uint64_t iterations =
      std::min(static_cast<std::uint64_t>(harness.environment.iterations), kMostResidentEntries / run.instances);
  if (options.most_instances != 0) {
    iterations = std::clamp<std::uint64_t>(options.most_instances / run.instances, 1, iterations);
  }
  run.iterations = static_cast<std::uint32_t>(iterations);
  std::vector<BufferSetup>& buffers = run.launch.buffers;
  buffers[kMemoryBuffer] = {.words = layout.global_bytes / 4 * run.instances};
  std::vector<std::uint32_t>& control = buffers[kControlBuffer].content;
  control[kIterations] = run.iterations;
  control[kTesting] = workgroups;
  control[kWorkgroups] = workgroups;
  control[kInstances] = static_cast<std::uint32_t>(run.instances);
  run.launch.passes.push_back({0, workgroups, false});
  return run;
}

}  // namespace weakspot::codegen

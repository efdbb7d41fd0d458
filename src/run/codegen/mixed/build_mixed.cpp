// SPDX-License-Identifier: MIT
#include "codegen/mixed/build_mixed.h"

#include <fmt/format.h>

#include "codegen/cpu/build_cpu_program.h"
#include "codegen/harness/launch_plan.h"

namespace weakspot::codegen {

base::Result<MixedProgram> build_mixed(const Harness& harness, const CpuFeatures& features) {
  MixedProgram program;
  const litmus::ScopeTree tree = harness.test.scope_tree();
  std::vector<bool> on_gpu;
  for (std::uint32_t role = 0; role < harness.test.threads.size(); ++role) {
    const bool cpu = tree.placements[role].cpu;
    (cpu ? program.cpu_roles : program.gpu_roles).push_back(role);
    on_gpu.push_back(!cpu);
  }
  base::Result<CpuProgram> host = build_cpu_program(harness, features, std::move(on_gpu));
  if (!host) return host.errors();
  program.host = *std::move(host);
  const MixedShape shape = mixed_shape(harness.environment);
  program.workgroup_size = shape.workgroup_size;
  program.workgroups = shape.workgroups;
  program.iterations = shape.iterations;
  program.memory = harness.environment.memory_kind;
  program.start_delay = harness.environment.start_delay;
  program.start_spread = harness.environment.start_spread;
  program.occupancy_percent = static_cast<std::uint32_t>(harness.environment.occupancy_percent);
  return program;
}

base::Result<PlannedRun> plan_mixed(const Harness& harness, const MixedProgram& program, const PlanOptions& options) {
  const auto roles = static_cast<std::uint32_t>(program.gpu_roles.size());
  PlannedRun run;
  run.shape = {program.workgroups, program.workgroups * roles, 0};
  run.instances = program.chunk();
  run.iterations = program.iterations;
  const std::uint64_t bytes = program.host.slice_bytes + program.host.result_bytes;
  if (bytes > options.memory_bytes) {
    return base::error(
        fmt::format("{}: out of memory: a round of {} instances needs {} KiB, more than the {} KiB it may use",
                    harness.test.name, run.instances_per_round(), bytes / 1024 + 1, options.memory_bytes / 1024));
  }
  run.launch = begin_launch(harness, run.shape, options);
  std::vector<BufferSetup>& buffers = run.launch.buffers;
  buffers[kMemoryBuffer] = {.words = program.host.slice_bytes / 4};
  buffers[kResultBuffer] = {.words = program.host.result_bytes / 4};
  buffers[kProgressBuffer] = {.words = kProgressWords, .zero_each_round = true};
  buffers[kSyncBuffer] = {.words = kMeetingWords};
  std::vector<std::uint32_t>& control = buffers[kControlBuffer].content;
  control[kIterations] = program.iterations;
  control[kTesting] = run.shape.testing;
  control[kWorkgroups] = run.shape.workgroups;
  control[kInstances] = program.chunk();
  control[kSpinBound] = static_cast<std::uint32_t>(harness.environment.spin_bound);
  run.launch.passes.push_back({0, run.shape.workgroups, true});
  return run;
}

}  // namespace weakspot::codegen

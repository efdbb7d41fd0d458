// SPDX-License-Identifier: MIT
#include "codegen/harness/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/harness/stress_plan.h"
#include "codegen/harness/support.h"

namespace weakspot::codegen {
namespace {

constexpr std::uint64_t kMostEntries = 1u << 31;  // per round
constexpr std::uint32_t kMostStressCalls = 1u << 16;

// The testing workgroups and all workgroups: as many as fit, but never fewer than the test needs.
PlanShape choose_shape(const Harness& harness, std::uint32_t resident) {
  const TestEnvironment& e = harness.environment;
  const RolePlan& roles = harness.roles;
  const std::uint32_t multiple = std::max(roles.workgroup_multiple(), roles.cluster);
  const std::uint32_t least = std::max(roles.min_workgroups(), multiple);
  const bool stresses = e.memory_stress_percent != 0;
  auto percent = [&](std::uint32_t n) {
    return static_cast<std::uint32_t>(std::uint64_t{n} * static_cast<std::uint64_t>(e.occupancy_percent) / 100);
  };
  const std::uint32_t room = std::max(percent(resident), least);
  PlanShape shape;
  shape.rows = harness.draws_plan() ? kPlanRowCount : 0;
  std::uint32_t all = e.max_workgroups == 0 ? room : std::min(room, static_cast<std::uint32_t>(e.max_workgroups));
  all = std::max(all, least);
  std::uint32_t testing = 0;
  if (roles.single_instance) {
    testing = least;
  } else if (e.testing_workgroups != 0) {
    // Keeps the proportion of testing and stressing workgroups if not all fit.
    const auto wanted = static_cast<std::uint64_t>(e.testing_workgroups);
    const auto wanted_all = static_cast<std::uint64_t>(std::max(e.max_workgroups, e.testing_workgroups));
    testing = static_cast<std::uint32_t>(wanted_all <= all ? wanted : wanted * all / wanted_all);
  } else {
    testing = stresses ? all / 2 : all;
  }
  testing = std::max(least, testing / multiple * multiple);
  const std::uint64_t most_words = most_memory_words(harness.test);
  auto too_many = [&](std::uint32_t instances) {
    return instances > kMostInstances || (most_words != 0 && harness.memory.slice_words(instances) > most_words);
  };
  while (too_many(roles.instances(testing)) && testing > least) testing -= multiple;
  shape.testing = testing;
  const bool needs_others = stresses || roles.single_instance || e.shuffle_percent != 0;
  shape.workgroups = std::max(testing, needs_others ? all : testing);
  if (roles.cluster > 1) shape.workgroups = std::max(testing, shape.workgroups / roles.cluster * roles.cluster);
  return shape;
}

// The grids of a test fit on the device together, so that they can overlap.
PlanShape shape_of_grids(const Harness& harness, std::uint32_t resident) {
  const TestEnvironment& e = harness.environment;
  const std::uint64_t room = std::uint64_t{resident} * static_cast<std::uint64_t>(e.occupancy_percent) / 100;
  auto each = static_cast<std::uint32_t>(room / harness.test.threads.size());
  if (e.testing_workgroups != 0) each = std::min(each, static_cast<std::uint32_t>(e.testing_workgroups));
  each = std::clamp(each, 1u, kMostInstances / harness.roles.workgroup_size);
  return {each, each, 0};
}

// Words of memory and results per iteration.
struct IterationWords {
  std::uint64_t slice = 0;
  std::uint64_t results = 0;
  std::uint64_t bytes() const { return std::max<std::uint64_t>((slice + results) * 4, 1); }
};

// The most iterations that the memory, the device's bound on loops, the environment and the options allow.
base::Result<std::uint32_t> choose_iterations(const Harness& harness, const PlanOptions& options,
                                              const LoopBudget& loops, const IterationWords& words,
                                              std::uint32_t instances, std::uint64_t fixed_bytes) {
  const TestEnvironment& e = harness.environment;
  if (words.slice * 4 > UINT32_MAX) {
    return cannot_run(harness.test, "the locations of one iteration take more than 4 GiB; use smaller strides");
  }
  const std::uint64_t room = options.memory_bytes - std::min(options.memory_bytes, fixed_bytes);
  std::uint64_t iterations =
      std::min({room / words.bytes(), kMostEntries / instances,
                loops.iterations(static_cast<std::uint64_t>(e.iterations), static_cast<std::uint64_t>(e.spin_bound))});
  if (const std::uint64_t most = most_memory_words(harness.test); most != 0) {
    iterations = std::min(iterations, most / std::max<std::uint64_t>(words.slice, 1));
    if (iterations == 0) {
      return cannot_run(harness.test,
                        fmt::format("one iteration takes {} words, and constant memory or a texture has {}; use a "
                                    "smaller stride or workgroup",
                                    words.slice, most));
    }
  }
  if (iterations == 0) {
    return base::error(fmt::format(
        "{}: out of memory: one iteration of {} instances needs {} KiB, more than the {} "
        "KiB it may use",
        harness.test.name, instances, (fixed_bytes + words.bytes()) / 1024 + 1, options.memory_bytes / 1024));
  }
  if (options.most_instances != 0) {
    iterations = std::clamp<std::uint64_t>(options.most_instances / instances, 1, iterations);
  }
  return static_cast<std::uint32_t>(iterations);
}

void set_control(const Harness& harness, const PlannedRun& run, const LoopBudget& loops, const IterationWords& words,
                 std::uint32_t collect_groups, std::vector<std::uint32_t>& control) {
  const TestEnvironment& e = harness.environment;
  const auto instances = static_cast<std::uint32_t>(run.instances);
  control[kIterations] = run.iterations;
  control[kTesting] = run.shape.testing;
  control[kWorkgroups] = run.shape.workgroups;
  control[kInstances] = instances;
  control[kSliceBytes] = static_cast<std::uint32_t>(words.slice * 4);
  control[kLocationFactor] = factor_for(static_cast<std::uint32_t>(e.permute_locations), instances);
  control[kResultStride] = run.iterations * instances;
  control[kPlanRows] = std::max(run.shape.rows, 1u);
  control[kSpinBound] =
      static_cast<std::uint32_t>(loops.spins(run.iterations, static_cast<std::uint64_t>(e.spin_bound)));
  control[kStressRounds] = static_cast<std::uint32_t>(e.memory_stress_iterations);
  control[kPreStressRounds] = static_cast<std::uint32_t>(e.pre_stress_iterations);
  control[kStressCalls] = kMostStressCalls;
  control[kCollectThreads] = collect_groups * kCollectSize;
}

}  // namespace

Launch begin_launch(const Harness& harness, const PlanShape& shape, const PlanOptions& options) {
  const TestEnvironment& e = harness.environment;
  Launch launch;
  launch.rounds = options.rounds;
  launch.control = kControlBuffer;
  launch.round_word = kRound;
  launch.stop_word = kStop;
  launch.buffers.resize(kBufferCount);
  std::vector<BufferSetup>& buffers = launch.buffers;
  buffers[kControlBuffer] = {.words = kControlWords, .content = std::vector<std::uint32_t>(kControlWords)};
  if (shape.rows != 0) {
    base::Rng rng(options.seed);
    buffers[kPlanBuffer].content = draw_plan(e, shape, rng);
    buffers[kPlanBuffer].words = buffers[kPlanBuffer].content.size();
  }
  if (harness.stresses()) buffers[kScratchBuffer] = {.words = scratch_words(e), .zero_first = true};
  const OutcomeEncoding& encoding = harness.encoding;
  buffers[kCountBuffer] = {
      .words = count_words(encoding.has_table(), encoding.size()), .zero_first = true, .read_back = true};
  buffers[kOverflowBuffer] = {.words = kOverflowEntries * overflow_words(encoding.items().size()), .read_back = true};
  return launch;
}

base::Result<PlannedRun> plan_launch(const Harness& harness, const PlanOptions& options) {
  PlannedRun run;
  const IteratedRun* iterated = harness.iterated();
  const LoopBudget loops = iterated != nullptr ? iterated->loops : LoopBudget{};
  run.shape = iterated != nullptr ? choose_shape(harness, options.resident_workgroups)
                                  : shape_of_grids(harness, options.resident_workgroups);
  const std::uint32_t instances = harness.roles.instances(run.shape.testing);
  run.instances = instances;
  run.launch = begin_launch(harness, run.shape, options);
  std::vector<BufferSetup>& buffers = run.launch.buffers;
  buffers[kProgressBuffer] = {.words = kProgressWords, .zero_each_round = true};
  if (harness.environment.barrier == BarrierKind::partner) {
    buffers[kSyncBuffer] = {.words = instances, .zero_each_round = true};
  }

  const IterationWords words{harness.memory.slice_words(instances),
                             std::uint64_t{words_per_instance(harness.results)} * instances};
  const base::Result<std::uint32_t> iterations =
      choose_iterations(harness, options, loops, words, instances, run.launch.bytes());
  if (!iterations) return iterations.errors();
  run.iterations = iterated != nullptr ? *iterations : 1;
  buffers[kMemoryBuffer] = {.words = words.slice * run.iterations, .zero_each_round = true};
  buffers[kResultBuffer] = {.words = words.results * run.iterations};

  const std::uint32_t collect_groups = std::clamp<std::uint32_t>(
      static_cast<std::uint32_t>(run.instances_per_round() / (kCollectSize * 8) + 1), 1, options.multiprocessors * 8);
  set_control(harness, run, loops, words, collect_groups, buffers[kControlBuffer].content);
  std::uint32_t entry = 0;
  if (harness.needs_init()) run.launch.passes.push_back({entry++, collect_groups, false});
  if (iterated != nullptr) {
    run.launch.passes.push_back({entry++, run.shape.workgroups, true});
  } else {
    for (std::size_t r = 0; r < harness.test.threads.size(); ++r) {
      run.launch.passes.push_back({entry++, run.shape.workgroups, false, r != 0});
    }
  }
  run.launch.passes.push_back({entry, collect_groups, false});
  return run;
}

}  // namespace weakspot::codegen

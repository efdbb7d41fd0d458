#include "codegen/test_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "codegen/cpu/cpu_plan.h"
#include "codegen/kernel/buffer_use.h"
#include "codegen/opencl/print_opencl.h"
#include "codegen/ptx/print_ptx.h"
#include "codegen/spirv/print_spirv.h"
#include "codegen/wgsl/print_wgsl.h"

namespace weakspot::codegen {
namespace {

constexpr std::uint64_t kMostEntries = 1u << 31;  // per round
constexpr std::uint32_t kMostStressCalls = 1u << 16;

std::uint64_t two_words(const std::vector<std::uint32_t>& words, std::size_t at) {
  return words[at] | static_cast<std::uint64_t>(words[at + 1]) << 32;
}

// Testing and all workgroups, within what fits; never fewer than the test has.
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
  shape.rows = harness.needs_plan ? kPlanRowCount : 0;
  std::uint32_t all = e.max_workgroups == 0 ? room : std::min(room, static_cast<std::uint32_t>(e.max_workgroups));
  all = std::max(all, least);
  std::uint32_t testing = 0;
  if (roles.single_instance) {
    testing = least;
  } else if (e.testing_workgroups != 0) {
    // Keeps the proportion of testing and stressing workgroups where not all fit.
    const auto wanted = static_cast<std::uint64_t>(e.testing_workgroups);
    const auto wanted_all = static_cast<std::uint64_t>(std::max(e.max_workgroups, e.testing_workgroups));
    testing = static_cast<std::uint32_t>(wanted_all <= all ? wanted : wanted * all / wanted_all);
  } else {
    testing = stresses ? all / 2 : all;
  }
  testing = std::max(least, testing / multiple * multiple);
  while (roles.instances(testing) > kMostInstances && testing > least) testing -= multiple;
  shape.testing = testing;
  const bool needs_others = stresses || roles.single_instance || e.shuffle_percent != 0;
  shape.workgroups = std::max(testing, needs_others ? all : testing);
  if (roles.cluster > 1) shape.workgroups = std::max(testing, shape.workgroups / roles.cluster * roles.cluster);
  return shape;
}

// The buffers whose size does not depend on the number of iterations; the others are left empty, the words of the
// control buffer zero.
std::vector<BufferSetup> fixed_buffers(const Harness& harness, const PlanShape& shape, std::uint32_t instances,
                                       std::uint64_t seed) {
  const TestEnvironment& e = harness.environment;
  std::vector<BufferSetup> buffers(kBufferCount);
  buffers[kControlBuffer] = {.words = kControlWords, .content = std::vector<std::uint32_t>(kControlWords)};
  if (harness.needs_plan) {
    base::Rng rng(seed);
    buffers[kPlanBuffer].content = draw_plan(e, shape, rng);
    buffers[kPlanBuffer].words = buffers[kPlanBuffer].content.size();
  }
  if (harness.stresses()) buffers[kScratchBuffer] = {.words = scratch_words(e), .zero_first = true};
  buffers[kProgressBuffer] = {.words = kProgressWords, .zero_each_round = true};
  if (e.barrier == BarrierKind::partner) buffers[kSyncBuffer] = {.words = instances, .zero_each_round = true};
  const OutcomeEncoding& encoding = harness.encoding;
  buffers[kCountBuffer] = {
      .words = count_words(encoding.has_table(), encoding.size()), .zero_first = true, .read_back = true};
  buffers[kOverflowBuffer] = {.words = std::uint64_t{kOverflowEntries} * (kOverflowHead + 2 * encoding.items().size()),
                              .read_back = true};
  return buffers;
}

// one_role: whether the thread is the one that runs the role.
bool runs_role(const RolePlan& roles, std::size_t number, std::uint32_t w, std::uint32_t l) {
  const Role& role = roles.roles[number];
  if (roles.test_workgroup(w) != role.workgroup) return false;
  if (!roles.scattered() && (roles.subgroup_of(l) != role.subgroup || roles.lane_of(l) != role.lane)) return false;
  return !roles.single_instance || roles.slot(number, l) == 0;
}

// The device's number of the workgroup that the plan calls `w` in that iteration.
std::uint32_t device_workgroup(const Harness& harness, const PlannedRun& run, const Sighting& sighting,
                               std::uint32_t w) {
  if (harness.environment.shuffle_percent == 0 || harness.roles.cluster != 1) return w;
  const std::vector<std::uint32_t>& plan = run.launch.buffers[kPlanBuffer].content;
  const std::size_t row = (sighting.iteration + std::size_t{sighting.round} * 7) % run.shape.rows;
  const std::size_t numbers = row * (std::size_t{run.shape.workgroups} * 2 + kPlanHead) + kPlanHead;
  for (std::uint32_t group = 0; group < run.shape.workgroups; ++group) {
    if (plan[numbers + group] == w) return group;
  }
  return w;
}

}  // namespace

base::Result<TestProgram> TestProgram::compile(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                               Target target, const TargetLimits& limits) {
  base::Result<Harness> harness = make_harness(test, environment, target, limits);
  if (!harness) return harness.errors();
  TestProgram made(*std::move(harness));
  if (target == Target::cpu) {
    base::Result<CpuProgram> built = build_cpu_program(made.harness_, limits.cpu);
    if (!built) return built.errors();
    made.program_.target = target;
    made.program_.buffers = buffer_names();
    made.program_.entries.push_back({"run", 1, 0});
    made.program_.text = print_cpu(*built);
    made.program_.cpu = std::make_shared<const CpuProgram>(*std::move(built));
    return made;
  }
  made.kernels_ = build_kernels(made.harness_);
  made.program_.target = target;
  made.program_.buffers = made.kernels_.buffers;
  for (const Kernel& kernel : made.kernels_.kernels) {
    made.program_.entries.push_back(
        {kernel.name, kernel.workgroup_size, kernel.shared_bytes, used_buffers(kernel, made.kernels_.buffers.size())});
  }
  switch (target) {
    case Target::ptx:
      made.program_.text = print_ptx(made.kernels_);
      break;
    case Target::opencl:
      made.program_.text = print_opencl(made.kernels_, limits.opencl);
      made.program_.mapping = to_string(limits.opencl.mapping);
      break;
    case Target::spirv:
      made.program_.words = print_spirv(made.kernels_);
      break;
    case Target::wgsl:
      made.program_.text = print_wgsl(made.kernels_);
      break;
    default:
      return base::error("there is no code generator for this target");
  }
  return made;
}

base::Result<PlannedRun> TestProgram::plan(const PlanOptions& options) const {
  if (program_.cpu) return plan_cpu(harness_, *program_.cpu, options);
  const TestEnvironment& e = harness_.environment;
  const PlanShape shape = choose_shape(harness_, options.resident_workgroups);
  PlannedRun run;
  run.shape = shape;
  const std::uint32_t instances = harness_.roles.instances(shape.testing);
  run.instances = instances;

  Launch& launch = run.launch;
  launch.rounds = options.rounds;
  launch.control = kControlBuffer;
  launch.round_word = kRound;
  launch.stop_word = kStop;
  launch.buffers = fixed_buffers(harness_, shape, instances, options.seed);

  const std::uint64_t slice_words = harness_.memory.slice_words(instances);
  const std::uint64_t result_words = std::uint64_t{words_per_instance(harness_.results)} * instances;
  const std::uint64_t iteration_bytes = std::max<std::uint64_t>((slice_words + result_words) * 4, 1);
  if (slice_words * 4 > UINT32_MAX) {
    return base::error(
        fmt::format("{}: cannot run: the locations of one iteration take more than 4 GiB; use smaller strides",
                    harness_.test.name));
  }
  const std::uint64_t fixed = launch.bytes();
  const std::uint64_t room = options.memory_bytes - std::min(options.memory_bytes, fixed);
  const auto spin_bound = static_cast<std::uint64_t>(e.spin_bound);
  std::uint64_t iterations =
      std::min({room / iteration_bytes, kMostEntries / instances,
                harness_.loops.iterations(static_cast<std::uint64_t>(e.iterations), spin_bound)});
  if (iterations == 0) {
    return base::error(
        fmt::format("{}: out of memory: one iteration of {} instances needs {} KiB, more than the {} "
                    "KiB that may be used",
                    harness_.test.name, instances, (fixed + iteration_bytes) / 1024 + 1, options.memory_bytes / 1024));
  }
  if (options.most_instances != 0) {
    iterations = std::clamp<std::uint64_t>(options.most_instances / instances, 1, iterations);
  }
  run.iterations = static_cast<std::uint32_t>(iterations);
  launch.buffers[kMemoryBuffer] = {.words = slice_words * run.iterations, .zero_each_round = true};
  launch.buffers[kResultBuffer] = {.words = result_words * run.iterations};

  const std::uint32_t collect_groups = std::clamp<std::uint32_t>(
      static_cast<std::uint32_t>(run.instances_per_round() / (kCollectSize * 8) + 1), 1, options.multiprocessors * 8);
  std::vector<std::uint32_t>& control = launch.buffers[kControlBuffer].content;
  control[kIterations] = run.iterations;
  control[kTesting] = shape.testing;
  control[kWorkgroups] = shape.workgroups;
  control[kInstances] = instances;
  control[kSliceBytes] = static_cast<std::uint32_t>(slice_words * 4);
  control[kLocationFactor] = factor_for(static_cast<std::uint32_t>(e.permute_locations), instances);
  control[kResultStride] = run.iterations * instances;
  control[kPlanRows] = std::max(shape.rows, 1u);
  control[kSpinBound] = static_cast<std::uint32_t>(harness_.loops.spins(run.iterations, spin_bound));
  control[kStressRounds] = static_cast<std::uint32_t>(e.memory_stress_iterations);
  control[kPreStressRounds] = static_cast<std::uint32_t>(e.pre_stress_iterations);
  control[kStressCalls] = kMostStressCalls;
  control[kCollectThreads] = collect_groups * kCollectSize;

  if (harness_.needs_init) launch.passes.push_back({0, collect_groups, false});
  launch.passes.push_back({run_entry(), shape.workgroups, true});
  launch.passes.push_back({run_entry() + 1, collect_groups, false});
  return run;
}

base::Result<Decoded> TestProgram::decode(const PlannedRun& run,
                                          const std::vector<std::vector<std::uint32_t>>& buffers) const {
  const std::vector<std::uint32_t>& counts = buffers.at(kCountBuffer);
  const std::vector<std::uint32_t>& overflow = buffers.at(kOverflowBuffer);
  Decoded decoded;
  decoded.instances = two_words(counts, kCompleted) * run.instances;
  decoded.unfinished = two_words(counts, kUnfinished);
  decoded.barrier_timeouts = counts[kTimeouts];
  const OutcomeEncoding& encoding = harness_.encoding;
  auto sighting = [&](std::uint32_t round, std::uint32_t entry) {
    const auto instances = static_cast<std::uint32_t>(run.instances);
    return Sighting{round, entry / instances, entry % instances};
  };
  auto add = [&](std::uint64_t number, std::uint64_t count, std::uint64_t index) {
    const litmus::Outcome outcome = encoding.decode(number);
    const std::size_t first = first_word(encoding.has_table(), encoding.size(), index);
    decoded.histogram.add(outcome, count);
    if (counts[first + kFirstClaimed] == 0) return;
    decoded.sightings.emplace(outcome, sighting(counts[first + kFirstRound], counts[first + kFirstEntry]));
  };
  if (encoding.has_table()) {
    for (std::uint64_t number = 0; number < encoding.size(); ++number) {
      const std::uint64_t count = two_words(counts, kCountHead + number * 2);
      if (count != 0) add(number, count, number);
    }
  } else {
    for (std::size_t slot = 0; slot < kHashSlots; ++slot) {
      const std::uint64_t key = two_words(counts, kCountHead + slot * 4);
      if (key != 0) add(key - 1, two_words(counts, kCountHead + slot * 4 + 2), slot);
    }
  }
  const std::uint32_t raw = counts[kOverflowing];
  const std::size_t items = encoding.items().size();
  for (std::uint32_t entry = 0; entry < std::min(raw, kOverflowEntries); ++entry) {
    const std::size_t record = entry * (kOverflowHead + 2 * items);
    litmus::Outcome outcome;
    for (std::size_t i = 0; i < items; ++i) {
      outcome.push_back(encoding.raw_value(i, two_words(overflow, record + kOverflowHead + i * 2)));
    }
    decoded.histogram.add(outcome);
    decoded.sightings.emplace(outcome, sighting(overflow[record], overflow[record + 1]));
  }
  if (raw > kOverflowEntries) {
    return base::error(
        fmt::format("{}: {} outcomes with unexpected values, of which {} were kept; a shorter run keeps "
                    "them all",
                    harness_.test.name, raw, kOverflowEntries));
  }
  if (decoded.histogram.total() + decoded.unfinished != decoded.instances) {
    return base::error(fmt::format("{}: {} outcomes from {} instances: the run is not to be trusted",
                                   harness_.test.name, decoded.histogram.total() + decoded.unfinished,
                                   decoded.instances));
  }
  return decoded;
}

InstancePlace TestProgram::locate(const PlannedRun& run, const Sighting& sighting) const {
  const RolePlan& roles = harness_.roles;
  const auto& buffers = run.launch.buffers;
  const auto instances = static_cast<std::uint32_t>(run.instances);
  InstancePlace place;
  if (program_.cpu) {
    // Which worker runs what is the device's business; where memory lies is ours.
    for (const CpuLocation& location : program_.cpu->locations)
      place.words.push_back(location.at(sighting.instance) / 4);
    return place;
  }
  // The formulas say which instance a thread runs; who runs this one is found by asking all of them.
  for (std::size_t role = 0; role < roles.roles.size(); ++role) {
    InstancePlace::Thread found;
    for (std::uint32_t w = 0; w < run.shape.testing; ++w) {
      for (std::uint32_t l = 0; l < roles.workgroup_size; ++l) {
        if (roles.instance<std::uint32_t>(role, w, l, run.shape.testing) != sighting.instance) continue;
        if (roles.one_role && !runs_role(roles, role, w, l)) continue;
        found = {device_workgroup(harness_, run, sighting, w), l};
      }
    }
    place.threads.push_back(found);
  }
  const std::uint32_t factor = buffers[kControlBuffer].content[kLocationFactor];
  for (std::size_t i = 0; i < harness_.test.locations.size(); ++i) {
    const MemoryLayout& memory = harness_.memory;
    if (memory.shared[i]) {
      place.words.push_back((std::uint64_t{memory.number[i]} * roles.instances_per_workgroup +
                             sighting.instance % roles.instances_per_workgroup) *
                            memory.cell_words);
    } else {
      place.words.push_back(memory.slice_words(run.instances) * sighting.iteration +
                            memory.word<std::uint32_t>(memory.number[i], sighting.instance, instances, factor));
    }
  }
  return place;
}

}  // namespace weakspot::codegen

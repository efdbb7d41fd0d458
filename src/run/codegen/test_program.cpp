// SPDX-License-Identifier: MIT
#include "codegen/test_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/buffer_words.h"
#include "codegen/cpu/build_cpu_program.h"
#include "codegen/cpu/cpu_plan.h"
#include "codegen/harness/harness_parts.h"
#include "codegen/harness/launch_plan.h"
#include "codegen/harness/resident_run.h"
#include "codegen/mixed/build_mixed.h"
#include "codegen/print/kernel_program.h"

namespace weakspot::codegen {
namespace {

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
  const std::size_t row = plan_row_number<std::size_t>(sighting.iteration, sighting.round, run.shape.rows) *
                          plan_row_words<std::size_t>(run.shape.workgroups);
  for (std::uint32_t group = 0; group < run.shape.workgroups; ++group) {
    if (plan[shuffled_number_at<std::size_t>(row, group)] == w) return group;
  }
  return w;
}

InstancePlace locate_resident(const Harness& harness, const Sighting& sighting) {
  const RolePlan& roles = harness.roles;
  const ResidentLayout& layout = *harness.resident();
  const std::uint32_t row = sighting.instance / layout.instances_per_row();
  const std::uint32_t turn = sighting.instance % layout.instances_per_row() / layout.slots;
  const std::uint32_t slot = sighting.instance % layout.slots;
  InstancePlace place;
  for (const Role& role : roles.roles) {
    const std::uint32_t warp = slot / roles.subgroup_size * roles.subgroups + role.subgroup;
    place.threads.push_back(
        {row * roles.workgroups + role.workgroup, warp * roles.subgroup_size + slot % roles.subgroup_size});
  }
  for (const ResidentCell& cell : layout.cells) {
    const std::uint64_t index = cell.shared ? std::uint64_t{turn} * layout.slots + slot : sighting.instance;
    place.words.push_back((cell.at + cell.inner + index * cell.bytes) / 4);
  }
  return place;
}

}  // namespace

base::Result<TestProgram> TestProgram::compile(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                               Target target, const TargetLimits& limits) {
  base::Result<Harness> harness = make_harness(test, environment, target, limits);
  if (!harness) return harness.errors();
  TestProgram made(std::make_shared<const Harness>(*std::move(harness)));
  DeviceProgram& program = made.program_;
  program.target = target;
  if (target == Target::mixed) {
    base::Result<MixedProgram> built = build_mixed(*made.harness_, limits.cpu);
    if (!built) return built.errors();
    KernelModule kernels = mixed_kernels(*made.harness_, *built);
    program = print_kernels(kernels, Target::ptx, limits);
    program.target = target;
    program.text += print_cpu(built->host);
    program.mixed = std::make_shared<const MixedProgram>(*std::move(built));
    program.cpu = std::shared_ptr<const CpuProgram>(program.mixed, &program.mixed->host);
    made.kernels_ = std::make_shared<const KernelModule>(std::move(kernels));
    return made;
  }
  made.kernels_ =
      std::make_shared<const KernelModule>(target == Target::cpu ? KernelModule{} : build_kernels(*made.harness_));
  if (target == Target::cpu) {
    base::Result<CpuProgram> built = build_cpu_program(*made.harness_, limits.cpu);
    if (!built) return built.errors();
    program.buffers = buffer_names();
    program.entries.push_back({"run", 1, 0});
    program.text = print_cpu(*built);
    program.cpu = std::make_shared<const CpuProgram>(*std::move(built));
    return made;
  }
  program = print_kernels(*made.kernels_, target, limits);
  return made;
}

std::uint32_t TestProgram::run_entry() const { return harness_->needs_init() ? 1 : 0; }

bool TestProgram::is_asynchronous() const { return harness_->resident() != nullptr || harness_->has_grids(); }

bool TestProgram::has_views() const { return most_memory_words(harness_->test) != 0; }

void TestProgram::inspect() {
  if (run_entry() < program_.entries.size()) program_.entries[run_entry()].inspected = true;
}

const litmus::LitmusTest& TestProgram::asked() const { return harness_->asked; }

std::uint32_t TestProgram::workgroup_size() const { return harness_->roles.workgroup_size; }

base::Result<PlannedRun> TestProgram::plan(const PlanOptions& options) const {
  if (program_.mixed) return plan_mixed(*harness_, *program_.mixed, options);
  if (program_.cpu) return plan_cpu(*harness_, *program_.cpu, options);
  return harness_->resident() != nullptr ? plan_resident(*harness_, options) : plan_launch(*harness_, options);
}

base::Result<Decoded> TestProgram::decode(const PlannedRun& run,
                                          const std::vector<std::vector<std::uint32_t>>& buffers) const {
  const std::vector<std::uint32_t>& counts = buffers.at(kCountBuffer);
  const std::vector<std::uint32_t>& overflow = buffers.at(kOverflowBuffer);
  Decoded decoded;
  decoded.instances = two_words(counts, kCompleted) * run.instances;
  decoded.unfinished = two_words(counts, kUnfinished);
  decoded.barrier_timeouts = counts[kTimeouts];
  const OutcomeEncoding& encoding = harness_->encoding;
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
      const std::uint64_t count = two_words(counts, kCountHead + number * kCounterWords);
      if (count != 0) add(number, count, number);
    }
  } else {
    for (std::size_t slot = 0; slot < kHashSlots; ++slot) {
      const std::uint64_t key = two_words(counts, kCountHead + slot * kSlotWords);
      if (key != 0) add(key - 1, two_words(counts, kCountHead + slot * kSlotWords + kCounterWords), slot);
    }
  }
  const std::uint32_t raw = counts[kOverflowing];
  const std::size_t items = encoding.items().size();
  for (std::uint32_t entry = 0; entry < std::min(raw, kOverflowEntries); ++entry) {
    const std::size_t record = entry * overflow_words(items);
    litmus::Outcome outcome;
    for (std::size_t i = 0; i < items; ++i) {
      outcome.push_back(encoding.raw_value(i, two_words(overflow, record + kOverflowHead + i * 2)));
    }
    decoded.histogram.add(outcome);
    decoded.sightings.emplace(outcome, sighting(overflow[record], overflow[record + 1]));
  }
  if (raw > kOverflowEntries) {
    return base::error(
        fmt::format("{}: {} instances ended with unexpected values, and only {} of them were recorded; "
                    "a shorter run records them all",
                    harness_->test.name, raw, kOverflowEntries));
  }
  if (decoded.histogram.total() + decoded.unfinished != decoded.instances) {
    return base::error(fmt::format("{}: the device counted {} outcomes of {} instances; its results cannot be trusted",
                                   harness_->test.name, decoded.histogram.total() + decoded.unfinished,
                                   decoded.instances));
  }
  return decoded;
}

InstancePlace TestProgram::locate(const PlannedRun& run, const Sighting& sighting) const {
  const RolePlan& roles = harness_->roles;
  const auto& buffers = run.launch.buffers;
  const auto instances = static_cast<std::uint32_t>(run.instances);
  InstancePlace place;
  if (program_.cpu) {
    // Only the device knows which worker runs a role. On a CPU alone every iteration has the same memory.
    const std::uint64_t instance =
        sighting.instance + (program_.mixed ? std::uint64_t{sighting.iteration} * instances : 0);
    for (const CpuLocation& location : program_.cpu->locations) place.words.push_back(location.at(instance) / 4);
    return place;
  }
  if (harness_->resident() != nullptr) return locate_resident(*harness_, sighting);
  // A thread of each grid runs the instance of its own number. Otherwise formulas go from threads to instances, and all
  // threads are asked for the ones that run this instance.
  const bool grids = harness_->has_grids();
  if (grids) {
    const std::uint32_t size = roles.workgroup_size;
    place.threads.assign(roles.roles.size(), {sighting.instance / size, sighting.instance % size});
  }
  for (std::size_t role = 0; !grids && role < roles.roles.size(); ++role) {
    InstancePlace::Thread found;
    for (std::uint32_t w = 0; w < run.shape.testing; ++w) {
      for (std::uint32_t l = 0; l < roles.workgroup_size; ++l) {
        if (roles.instance<std::uint32_t>(role, w, l, run.shape.testing) != sighting.instance) continue;
        if (roles.one_role && !runs_role(roles, role, w, l)) continue;
        found = {device_workgroup(*harness_, run, sighting, w), l};
      }
    }
    place.threads.push_back(found);
  }
  const std::uint32_t factor = buffers[kControlBuffer].content[kLocationFactor];
  for (std::size_t i = 0; i < harness_->test.locations.size(); ++i) {
    const MemoryLayout& memory = harness_->memory;
    if (memory.shared[i]) {
      place.words.push_back((std::uint64_t{memory.number[i]} * roles.instances_per_workgroup +
                             sighting.instance % roles.instances_per_workgroup) *
                            (grids ? kGridUnit / 4 : memory.cell_words));
    } else {
      place.words.push_back(memory.slice_words(run.instances) * sighting.iteration +
                            memory.word<std::uint32_t>(memory.number[i], sighting.instance, instances, factor));
    }
  }
  return place;
}

bool can_compile(const litmus::LitmusTest& test, const TestEnvironment& environment, Target target,
                 const TargetLimits& limits) {
  const base::Result<Harness> harness = make_harness(test, environment, target, limits);
  if (!harness) return false;
  if (target == Target::mixed) return build_mixed(*harness, limits.cpu).ok();
  return target != Target::cpu || build_cpu_program(*harness, limits.cpu).ok();
}

bool runs_somewhere(const litmus::LitmusTest& test, const TestEnvironment& environment) {
  TargetLimits most;
  most.max_cluster = 16;
  most.max_shared_bytes = 1u << 20;
  most.ptx_arch = 100;
  most.opencl.all_devices_scope = true;
  most.opencl.subgroups = true;
  most.cpu.lse = true;
  most.cpu.rcpc = true;
  for (const Target target : {Target::ptx, Target::spirv, Target::opencl, Target::wgsl}) {
    if (make_harness(test, environment, target, most)) return true;
  }
  for (const CpuIsa isa : {CpuIsa::aarch64, CpuIsa::x86_64}) {
    most.cpu.isa = isa;
    for (const Target target : {Target::cpu, Target::mixed}) {
      if (make_harness(test, environment, target, most)) return true;
    }
  }
  return false;
}

}  // namespace weakspot::codegen

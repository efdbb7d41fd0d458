// SPDX-License-Identifier: MIT
#include "codegen/harness/harness.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/harness/harness_parts.h"
#include "codegen/harness/resident_run.h"
#include "codegen/harness/role_code.h"
#include "codegen/harness/support.h"
#include "codegen/harness/support_targets.h"
#include "codegen/harness/weakened.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

LoopBudget loop_budget(const Harness& harness, std::uint32_t rounds) {
  const TestEnvironment& e = harness.environment;
  LoopBudget budget;
  budget.rounds = rounds;
  if (e.barrier == BarrierKind::grid) budget.waits = 1;
  if (e.barrier == BarrierKind::partner) budget.waits = harness.roles.one_role ? 1 : harness.roles.roles.size();
  std::uint64_t& each = budget.per_iteration;
  each = 2 + harness.roles.roles.size() + harness.memory.shared_count * 2;
  for (std::size_t r = 0; r < harness.test.threads.size(); ++r) {
    each += static_cast<std::uint64_t>(e.access_gap) * harness.test.threads[r].instructions.size();
    if (has_loops(harness.regions[r])) each += static_cast<std::uint64_t>(e.loop_bound) * harness.regions[r].size();
  }
  if (e.pre_stress_percent != 0) each += static_cast<std::uint64_t>(e.pre_stress_iterations);
  // Shuffled workgroups test or stress in each iteration; otherwise stress is not part of the iterations.
  if (e.shuffle_percent != 0 && e.memory_stress_percent != 0) {
    each = std::max(each, static_cast<std::uint64_t>(e.memory_stress_iterations) + 2);
  }
  return budget;
}

// The test with the faults and the widths that the environment says, if the target can run it.
base::Result<litmus::LitmusTest> test_to_run(const litmus::LitmusTest& original, const TestEnvironment& environment,
                                             Target target, const TargetLimits& limits) {
  if (environment.weaken == Weaken::scope && target == Target::cpu) {
    return cannot_run(original, "CPUs have no scopes to narrow", "weaken=scope");
  }
  // A fault does not make a test runnable: without it, there would be nothing to compare with.
  if (base::Status status = check_runnable(original, target, limits); !status) return status.errors();
  const bool pinned = environment.memory_kind == MemoryKind::pinned;
  if (target == Target::mixed && pinned && !limits.host_atomics && shares_atomics(original)) {
    return cannot_run(original,
                      "read-modify-writes of GPU and CPU are not atomic with each other in pinned memory over this bus "
                      "(hostNativeAtomicSupported); memory_kind=managed has them");
  }
  litmus::LitmusTest test = weakened(original, environment.weaken);
  if (environment.access_width == AccessWidth::wide) {
    base::Result<litmus::LitmusTest> wide = widened(test);
    if (!wide) return wide.errors();
    test = *std::move(wide);
  }
  // Planted faults and wider accesses may ask for what the target does not have.
  if (environment.weaken != Weaken::none || environment.access_width == AccessWidth::wide) {
    if (base::Status status = check_runnable(test, target, limits); !status) return status.errors();
  }
  if (target == Target::cpu || target == Target::mixed) {
    // A CPU has one kind of memory.
    for (litmus::Location& location : test.locations) location.space = litmus::Space::none;
  }
  return test;
}

// The kind of the test, with nothing decided yet.
HarnessKind kind_of(const litmus::LitmusTest& test, Target target) {
  if (target == Target::cpu) return CpuRun{};
  if (target == Target::mixed) return MixedRun{};
  if (test.scopes && !test.scopes->launches.empty()) return GridRun{};
  if (target == Target::ptx && is_resident(test)) return ResidentLayout{};
  return IteratedRun{};
}

// Places the threads of the test, for each kind.
struct PlaceRoles {
  const litmus::LitmusTest& test;
  const TestEnvironment& environment;
  const TargetLimits& limits;

  using Made = base::Result<RolePlan>;
  Made operator()(const IteratedRun&) const { return plan_roles(test, environment, limits); }
  Made operator()(const GridRun&) const { return grid_roles(test, environment, limits); }
  Made operator()(const ResidentLayout&) const { return resident_roles(test, environment, limits); }
  Made operator()(const CpuRun&) const { return cpu_roles(test, environment); }
  Made operator()(const MixedRun&) const { return mixed_roles(test, environment); }
};

// Decides what only one kind has, and checks what it needs.
struct DecideKind {
  const Harness& harness;
  Target target;
  const TargetLimits& limits;

  using Made = base::Result<HarnessKind>;

  Made operator()(IteratedRun run) const {
    const bool wgsl = target == Target::wgsl;
    if (wgsl && !harness.encoding.has_table()) {
      return cannot_run(harness.test,
                        "the test has too many outcomes to count without 64-bit numbers, which WGSL does not have");
    }
    run.can_stop = !wgsl;
    run.private_counts = wgsl;
    run.uniform_barriers = limits.named_barriers == 0;
    run.loops = loop_budget(harness, limits.loop_rounds);
    const MemoryLayout& memory = harness.memory;
    return if_fits(run, memory.shared_count * memory.cell_words * 4 * harness.roles.instances_per_workgroup,
                   limits.max_shared_bytes / 2);
  }

  Made operator()(GridRun run) const { return if_fits(run, grid_shared_bytes(harness), limits.max_shared_bytes); }

  Made operator()(const ResidentLayout&) const {
    base::Result<ResidentLayout> layout =
        lay_out_resident(harness.test, harness.environment, harness.roles, harness.encoding, limits.max_shared_bytes);
    if (!layout) return layout.errors();
    return HarnessKind(*std::move(layout));
  }

  Made operator()(CpuRun run) const { return HarnessKind(run); }
  Made operator()(MixedRun run) const { return HarnessKind(run); }

 private:
  Made if_fits(HarnessKind kind, std::uint32_t shared, std::uint32_t most) const {
    if (shared <= most) return kind;
    return cannot_run(harness.test, fmt::format("the test needs {} bytes of shared memory per workgroup", shared));
  }
};

}  // namespace

bool Harness::draws_plan() const {
  auto at_times = [](int percent) { return percent != 0 && percent != 100; };
  return stresses() || environment.shuffle_percent != 0 ||
         (environment.barrier != BarrierKind::none && at_times(environment.barrier_percent));
}

bool Harness::needs_init() const {
  if (iterated() == nullptr && !has_grids()) return false;
  for (std::size_t i = 0; i < test.locations.size(); ++i) {
    if (!memory.shared[i] && test.locations[i].initial != litmus::Value{}) return true;
  }
  return false;
}

base::Result<Harness> make_harness(const litmus::LitmusTest& original, const TestEnvironment& environment,
                                   Target target, const TargetLimits& device_limits) {
  if (base::Status status = validate(environment); !status) return status.errors();
  TargetLimits limits = device_limits;
  if (target != Target::ptx && target != Target::cpu && target != Target::mixed) limits.named_barriers = 0;
  base::Result<litmus::LitmusTest> test = test_to_run(original, environment, target, limits);
  if (!test) return test.errors();
  base::Result<litmus::LitmusTest> asked = environment.weaken == Weaken::none              ? *test
                                           : environment.access_width == AccessWidth::wide ? widened(original)
                                                                                           : original;
  if (!asked) return asked.errors();
  const HarnessKind kind = kind_of(*test, target);
  base::Result<RolePlan> roles = std::visit(PlaceRoles{*test, environment, limits}, kind);
  if (!roles) return roles.errors();
  base::Result<OutcomeEncoding> encoding = OutcomeEncoding::make(*test);
  if (!encoding) return encoding.errors();
  std::vector<std::vector<Region>> regions;
  for (const litmus::Thread& thread : test->threads) {
    base::Result<std::vector<Region>> found = find_regions(thread.instructions);
    if (!found) return cannot_run(*test, found.errors().front().message);
    regions.push_back(*std::move(found));
  }
  MemoryLayout memory = lay_out(*test, environment);
  std::vector<ResultItem> results = result_items(*test, *roles, regions);
  Harness harness{*std::move(test),   *std::move(asked),    environment,
                  *std::move(roles),  std::move(memory),    std::move(regions),
                  std::move(results), *std::move(encoding), {}};
  base::Result<HarnessKind> decided = std::visit(DecideKind{harness, target, limits}, kind);
  if (!decided) return decided.errors();
  harness.kind = *std::move(decided);
  return harness;
}

KernelModule build_kernels(const Harness& harness) {
  KernelModule module;
  module.buffers = buffer_names();
  module.viewed = kMemoryBuffer;
  if (harness.resident() != nullptr) {
    module.kernels.push_back(build_resident_run(harness));
    return module;
  }
  if (harness.needs_init()) module.kernels.push_back(build_init(harness));
  if (harness.has_grids()) {
    for (std::size_t r = 0; r < harness.test.threads.size(); ++r) module.kernels.push_back(build_grid(harness, r));
  } else {
    module.kernels.push_back(build_run(harness));
  }
  module.kernels.push_back(build_collect(harness));
  return module;
}

// ---- what the kernels share ----

Expr word_address(BufferId buffer, const Expr& word) { return buffer_address(buffer) + mul_wide(word, 4u); }

Var load_control(KernelBuilder& builder, ControlWord word) {
  return builder.load_word(word_address(kControlBuffer, word));
}

void write_noise(KernelBuilder& builder, Var noise, int most) {
  auto step = [&] { builder.set(noise, Expr(noise) * 1664525u + 1013904223u); };
  step();
  const Var steps = builder.let(apply(Op::shr, {noise, 8u}) % Expr(static_cast<std::uint32_t>(most) + 1));
  builder.count(0u, steps, 1u, [&](Var) { step(); });
}

MemoryAccess relaxed_word(const Expr& address) {
  MemoryAccess access;
  access.address = address;
  access.order = litmus::Order::relaxed;
  return access;
}

Expr result_address(const ResultItem& item, const Expr& stride, const Expr& index) {
  const std::uint32_t bytes = item.width == Width::w64 ? 8 : 4;
  return buffer_address(kResultBuffer) + mul_wide(stride, item.words_before * 4) + mul_wide(index, bytes);
}

Expr location_address(const Harness& harness, std::uint32_t location, const Expr& instance, const Expr& instances,
                      const Expr& factor) {
  return buffer_address(kMemoryBuffer) +
         mul_wide(harness.memory.word<Expr>(harness.memory.number[location], instance, instances, factor), 4u);
}

Expr value_for_instance(const Harness& harness, const litmus::Value& value, litmus::Type type, const Expr& instance,
                        const Expr& instances, const Expr& factor, const Expr& slice) {
  if (value.base) {
    return location_address(harness, value.base->index, instance, instances, factor) + slice +
           constant64(static_cast<std::uint64_t>(value.number));
  }
  if (litmus::size_in_bytes(type) == 8) return constant64(static_cast<std::uint64_t>(value.number));
  return Expr(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value.number)));
}

}  // namespace weakspot::codegen

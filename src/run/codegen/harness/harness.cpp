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

std::uint64_t most_memory_words(const litmus::LitmusTest& test) {
  std::uint64_t most = 0;
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      const litmus::Access* access = litmus::access_of(instruction);
      if (access == nullptr) continue;
      if (access->proxy == litmus::Proxy::constant) return kConstantWords;
      if (access->proxy == litmus::Proxy::texture) most = kTextureWords;
    }
  }
  return most;
}

}  // namespace

base::Result<Harness> make_harness(const litmus::LitmusTest& original, const TestEnvironment& environment,
                                   Target target, const TargetLimits& device_limits) {
  if (base::Status status = validate(environment); !status) return status.errors();
  TargetLimits limits = device_limits;
  if (target != Target::ptx && target != Target::cpu && target != Target::mixed) limits.named_barriers = 0;
  if (environment.weaken == Weaken::scope && target == Target::cpu) {
    return base::error(fmt::format("{}: cannot run with weaken=scope: CPUs have no scopes to narrow", original.name));
  }
  // A fault does not make a test runnable: without it, there would be nothing to compare with.
  if (base::Status status = check_runnable(original, target, limits); !status) return status.errors();
  const bool pinned = environment.memory_kind == MemoryKind::pinned;
  if (target == Target::mixed && pinned && !limits.host_atomics && shares_atomics(original)) {
    return base::error(
        fmt::format("{}: cannot run: read-modify-writes of GPU and CPU are not atomic with each other in pinned memory "
                    "over this bus (hostNativeAtomicSupported); memory_kind=managed has them",
                    original.name));
  }
  litmus::LitmusTest test = weakened(original, environment.weaken);
  if (environment.access_width == AccessWidth::wide) {
    base::Result<litmus::LitmusTest> wide = widened(test);
    if (!wide) return wide.errors();
    test = *std::move(wide);
  }
  if (environment.weaken != Weaken::none) {
    if (base::Status status = check_runnable(test, target, limits); !status) return status.errors();
  }
  if (target == Target::cpu || target == Target::mixed) {
    // A CPU has one kind of memory.
    for (litmus::Location& location : test.locations) location.space = litmus::Space::none;
  }
  const bool grids = test.scopes && !test.scopes->launches.empty();
  const bool resident = target == Target::ptx && !grids && is_resident(test);
  base::Result<RolePlan> roles = target == Target::cpu     ? cpu_roles(test, environment)
                                 : target == Target::mixed ? mixed_roles(test, environment)
                                 : grids                   ? grid_roles(test, environment, limits)
                                 : resident                ? resident_roles(test, environment, limits)
                                                           : plan_roles(test, environment, limits);
  if (!roles) return roles.errors();
  base::Result<OutcomeEncoding> encoding = OutcomeEncoding::make(test);
  if (!encoding) return encoding.errors();

  std::vector<std::vector<Region>> regions;
  for (const litmus::Thread& thread : test.threads) {
    base::Result<std::vector<Region>> found = find_regions(thread.instructions);
    if (!found) {
      return base::error(fmt::format("{}: cannot run: {}", test.name, found.errors().front().message));
    }
    regions.push_back(*std::move(found));
  }
  MemoryLayout memory = lay_out(test, environment);
  std::vector<ResultItem> results = result_items(test, *roles, regions);
  Harness harness{std::move(test),    environment,        *std::move(roles),   std::move(memory),
                  std::move(regions), std::move(results), *std::move(encoding)};
  if (target == Target::wgsl && !harness.encoding.has_table()) {
    return base::error(fmt::format(
        "{}: cannot run: the test has too many outcomes to count without 64-bit numbers, which WGSL does not have",
        harness.test.name));
  }
  harness.can_stop = target != Target::wgsl;
  harness.private_counts = target == Target::wgsl;
  harness.uniform_barriers = limits.named_barriers == 0;
  harness.asked = harness.test;
  if (environment.weaken != Weaken::none) {
    harness.asked = original;
    if (environment.access_width == AccessWidth::wide) {
      base::Result<litmus::LitmusTest> wide = widened(original);
      if (!wide) return wide.errors();
      harness.asked = *std::move(wide);
    }
  }
  if (resident) {
    base::Result<ResidentLayout> layout =
        lay_out_resident(harness.test, environment, harness.roles, harness.encoding, limits.max_shared_bytes);
    if (!layout) return layout.errors();
    harness.resident = *std::move(layout);
    return harness;
  }
  const std::uint32_t shared =
      grids ? grid_shared_bytes(harness)
            : harness.memory.shared_count * harness.memory.cell_words * 4 * harness.roles.instances_per_workgroup;
  if (shared > limits.max_shared_bytes / (grids ? 1 : 2)) {
    return base::error(fmt::format("{}: cannot run: the test needs {} bytes of shared memory per workgroup",
                                   harness.test.name, shared));
  }
  for (std::size_t i = 0; i < harness.test.locations.size(); ++i) {
    if (!harness.memory.shared[i] && harness.test.locations[i].initial != litmus::Value{}) harness.needs_init = true;
  }
  harness.most_memory_words = most_memory_words(harness.test);
  harness.loops = loop_budget(harness, limits.loop_rounds);
  harness.grids = grids;
  if (grids) return harness;
  auto mixed = [](int percent) { return percent != 0 && percent != 100; };
  harness.needs_plan = harness.stresses() || environment.shuffle_percent != 0 ||
                       (environment.barrier != BarrierKind::none && mixed(environment.barrier_percent));
  if (target == Target::mixed) harness.needs_plan = false;
  return harness;
}

KernelModule build_kernels(const Harness& harness) {
  KernelModule module;
  module.buffers = buffer_names();
  module.viewed = kMemoryBuffer;
  if (harness.resident) {
    module.kernels.push_back(build_resident_run(harness));
    return module;
  }
  if (harness.needs_init) module.kernels.push_back(build_init(harness));
  if (harness.grids) {
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

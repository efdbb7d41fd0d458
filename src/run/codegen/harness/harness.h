// SPDX-License-Identifier: MIT
// Test + environment -> kernels: how a test is run on a GPU.
//
// Kernel `run` loops over iterations; in each, testing threads run their roles on a fresh slice of memory and store
// what they read, while other workgroups stress. Kernel `collect` then reads results and final memory and counts
// outcomes. Kernel `init` writes initial values; tests whose locations all start as 0 do without it.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/result.h"
#include "codegen/environment.h"
#include "codegen/harness/assignment.h"
#include "codegen/harness/encoding.h"
#include "codegen/harness/loop_budget.h"
#include "codegen/harness/memory_layout.h"
#include "codegen/harness/resident_layout.h"
#include "codegen/kernel/kernel.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// The usual kind: a GPU's kernel `run`, which loops over iterations.
struct IteratedRun {
  bool can_stop = true;           // the host can tell a running kernel to stop
  bool uniform_barriers = false;  // barriers need the whole workgroup, in uniform control flow
  bool private_counts = false;    // small tables are counted in variables of a thread first
  LoopBudget loops;
};

// Dependent launches: one kernel per thread of the test, in their order, instead of `run`.
struct GridRun {};

// The workers of a CPU (cpu_program.h), alone or together with a GPU's kernel (mixed_program.h).
struct CpuRun {};
struct MixedRun {};

// A resident test has one kernel of its own, which does everything; its layout is all that is special about it.
using HarnessKind = std::variant<IteratedRun, GridRun, ResidentLayout, CpuRun, MixedRun>;

// The parts that all kinds share, and the part of this one's kind.
struct Harness {
  litmus::LitmusTest test;   // as it runs: widened and weakened as the environment says
  litmus::LitmusTest asked;  // as it should run: widened, but not weakened
  TestEnvironment environment;
  RolePlan roles;
  MemoryLayout memory;
  std::vector<std::vector<Region>> regions;  // by role
  std::vector<ResultItem> results;
  OutcomeEncoding encoding;
  HarnessKind kind;

  const IteratedRun* iterated() const { return std::get_if<IteratedRun>(&kind); }
  const ResidentLayout* resident() const { return std::get_if<ResidentLayout>(&kind); }
  bool has_grids() const { return std::holds_alternative<GridRun>(kind); }

  bool stresses() const { return environment.memory_stress_percent != 0 || environment.pre_stress_percent != 0; }
  // True if iterations differ in their random choices. Only `run` and the workers of a CPU read such a plan.
  bool draws_plan() const;
  // True if kernel `init` comes first. Kinds that set their memory up themselves do without it.
  bool needs_init() const;
};

// Decides everything that does not depend on the device's occupancy.
base::Result<Harness> make_harness(const litmus::LitmusTest& test, const TestEnvironment& environment, Target target,
                                   const TargetLimits& limits);

// The kernels: [init,] run or grids, collect; of a resident test, run. None of those of CpuRun and MixedRun.
KernelModule build_kernels(const Harness& harness);

inline constexpr std::uint32_t kCollectSize = 256;  // threads per workgroup of init and collect

// The parts of build_kernels.
Kernel build_init(const Harness& harness);
Kernel build_run(const Harness& harness);
Kernel build_collect(const Harness& harness);
// The kernel that replaces `run` in tests with dependent launches, one per role.
Kernel build_grid(const Harness& harness, std::size_t role);

}  // namespace weakspot::codegen

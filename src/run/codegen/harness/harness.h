// SPDX-License-Identifier: MIT
// Test + environment -> kernels: how a test is run on a GPU.
//
// Kernel `run` loops over iterations; in each, testing threads run their roles on a fresh slice of memory and store
// what they read, while other workgroups stress. Kernel `collect` then reads results and final memory and counts
// outcomes. Kernel `init` writes initial values; tests whose locations all start as 0 do without it.
#pragma once

#include <memory>
#include <optional>
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

struct Harness {
  litmus::LitmusTest test;  // as it runs: widened and weakened as the environment says
  TestEnvironment environment;
  RolePlan roles;
  MemoryLayout memory;
  std::vector<std::vector<Region>> regions;  // by role
  std::vector<ResultItem> results;
  OutcomeEncoding encoding;
  bool needs_init = false;
  bool needs_plan = false;
  bool can_stop = true;           // the host can tell a running kernel to stop
  bool uniform_barriers = false;  // barriers need the whole workgroup, in uniform control flow
  bool private_counts = false;    // small tables are counted in variables of a thread first
  LoopBudget loops;
  litmus::LitmusTest asked;                // as it should run: widened, but not weakened
  std::optional<ResidentLayout> resident;  // for tests of that kind, which have a kernel of their own
  // Loads through a texture or through constant memory see only so much; 0: no bound.
  std::uint64_t most_memory_words = 0;
  bool grids = false;  // the test has dependent launches: one kernel per thread, in their order

  bool stresses() const { return environment.memory_stress_percent != 0 || environment.pre_stress_percent != 0; }
};

// Decides everything that does not depend on the device's occupancy.
base::Result<Harness> make_harness(const litmus::LitmusTest& test, const TestEnvironment& environment, Target target,
                                   const TargetLimits& limits);

// The kernels: [init,] run, collect.
KernelModule build_kernels(const Harness& harness);

inline constexpr std::uint32_t kCollectSize = 256;  // threads per workgroup of init and collect

// The parts of build_kernels.
Kernel build_init(const Harness& harness);
Kernel build_run(const Harness& harness);
Kernel build_collect(const Harness& harness);
// In place of `run`, for tests with dependent launches.
Kernel build_grid(const Harness& harness, std::size_t role);

}  // namespace weakspot::codegen

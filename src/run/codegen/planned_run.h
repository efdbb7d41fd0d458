// SPDX-License-Identifier: MIT
// A launch of a test, planned: what is asked for, and what is needed to understand the results.
#pragma once

#include <cstdint>

#include "codegen/device_program.h"

namespace weakspot::codegen {

struct PlanOptions {
  std::uint32_t resident_workgroups = 1;  // those of TestProgram::run_entry() that fit on the device at once
  std::uint64_t memory_bytes = 0;         // the most that the launch may use
  std::uint32_t rounds = 1;
  std::uint64_t seed = 0;  // for what is drawn per iteration
  std::uint32_t multiprocessors = 1;
  std::uint64_t most_instances = 0;  // per round, 0: as the environment says; one iteration is the least
};

// The workgroups of a launch, and the rows of its plan.
struct PlanShape {
  std::uint32_t testing = 2;     // workgroups that test
  std::uint32_t workgroups = 2;  // in all
  std::uint32_t rows = 1;
};

struct PlannedRun {
  Launch launch;
  PlanShape shape;
  std::uint32_t iterations = 0;  // per round
  std::uint64_t instances = 0;   // per iteration
  std::uint64_t instances_per_round() const { return instances * iterations; }
};

// One instance of a run.
struct Sighting {
  std::uint32_t round = 0;
  std::uint32_t iteration = 0;  // within the round
  std::uint32_t instance = 0;   // within the iteration

  friend bool operator==(const Sighting&, const Sighting&) = default;
};

// The seed of the generator for a launch of a run.
std::uint64_t launch_seed(std::uint64_t seed, std::uint64_t launch);

}  // namespace weakspot::codegen

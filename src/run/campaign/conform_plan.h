// SPDX-License-Identifier: MIT
// Plans the environments and the time of each conformance test. The merging algorithm of the MC Mutants study is
// applied to the mutants of a test instead of devices, and the time budget is shared out by need.
#pragma once

#include <cstddef>
#include <vector>

namespace weakspot::campaign {

// Kills per second of the mutants of one test, by mutant and then by environment; 0 where not measured.
using MutantRates = std::vector<std::vector<double>>;

struct PlannedPart {
  std::size_t environment = 0;
  double seconds = 0;

  friend bool operator==(const PlannedPart&, const PlannedPart&) = default;
};

struct PlannedTest {
  std::vector<PlannedPart> parts;  // at least one
  double needed = 0;               // seconds in which every mutant is expected to reach the target; may be infinite
  bool reached = false;            // the budget has room for them

  friend bool operator==(const PlannedTest&, const PlannedTest&) = default;
};

struct PlanGoal {
  double target = 0.99999;  // reproducibility of every mutant
  double budget = 5;        // seconds for all tests together
  double least = 1e-3;      // seconds, the shortest part that a device can run
};

// A test gets one environment if all of its mutants reach the rate there that its share of the budget asks for;
// otherwise it gets another one for the remaining mutants, and so on. Tests that need little time are served first, so
// that as many as possible reach the target; then all of these get the same margin, up to a few times what they need.
// The rest goes to all tests; half of it only to those that do not reach the target, if there are any. A test without
// mutants runs in the first environment.
std::vector<PlannedTest> plan_tests(const std::vector<MutantRates>& tests, const PlanGoal& goal);

// The kills of a mutant that are expected in these parts.
double expected_kills(const std::vector<double>& rates, const std::vector<PlannedPart>& parts);

}  // namespace weakspot::campaign

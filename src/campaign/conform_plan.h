// Which environments each conformance test runs in, and for how long: the merging algorithm of the MC Mutants study,
// with the mutants of a test in the place of the devices, and the time budget shared out by need.
#pragma once

#include <cstddef>
#include <vector>

namespace weakspot::campaign {

// Kills per second of the mutants of one test, by mutant and then by environment. What was not measured is 0.
using MutantRates = std::vector<std::vector<double>>;

struct PlannedPart {
  std::size_t environment = 0;
  double seconds = 0;

  friend bool operator==(const PlannedPart&, const PlannedPart&) = default;
};

struct PlannedTest {
  std::vector<PlannedPart> parts;  // at least one
  double needed = 0;               // seconds until every mutant is expected to be killed often enough; infinity: never
  bool reached = false;            // the budget has room for that

  friend bool operator==(const PlannedTest&, const PlannedTest&) = default;
};

struct PlanGoal {
  double target = 0.99999;  // reproducibility of every mutant
  double budget = 5;        // seconds for all tests together
  double least = 1e-3;      // seconds for a part: what a device cannot do in less
};

// One environment per test if there is one in which all of its mutants reach the rate that its share of the budget
// asks for; otherwise another one for those that do not, and so on. Tests that need little are served first, so that
// as many as possible are reached. What is left is shared by all. A test without mutants runs in the first environment.
std::vector<PlannedTest> plan_tests(const std::vector<MutantRates>& tests, const PlanGoal& goal);

// Kills that a mutant can be expected to have suffered in these parts.
double expected_kills(const std::vector<double>& rates, const std::vector<PlannedPart>& parts);

}  // namespace weakspot::campaign

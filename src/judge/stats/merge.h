// SPDX-License-Identifier: MIT
// One environment per test for many devices: the merging algorithm of Levine et al., ASPLOS 2023 (Algorithm 1). An
// environment is good for a test when many devices show the test's behaviour at the ceiling rate, the rate at which
// a run within the time budget reaches the reproducibility that is asked for (reproducibility.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace weakspot::stats {

// Sightings per second of each test in each environment on each device; 0 if not measured.
class RateTable {
 public:
  RateTable(std::size_t tests, std::size_t environments, std::size_t devices);

  std::size_t tests() const { return tests_; }
  std::size_t environments() const { return environments_; }
  std::size_t devices() const { return devices_; }

  double& at(std::size_t test, std::size_t environment, std::size_t device) {
    return rates_[index(test, environment, device)];
  }
  double at(std::size_t test, std::size_t environment, std::size_t device) const {
    return rates_[index(test, environment, device)];
  }

 private:
  std::size_t index(std::size_t test, std::size_t environment, std::size_t device) const;

  std::size_t tests_, environments_, devices_;
  std::vector<double> rates_;
};

// The environment chosen for a test. There is none when no device shows the behaviour in any environment.
struct MergedEnvironment {
  std::optional<std::size_t> environment;
  std::size_t devices_reached = 0;  // at the ceiling rate or above
  double lowest_rate = 0;           // among the devices that show the behaviour at all

  friend bool operator==(const MergedEnvironment&, const MergedEnvironment&) = default;
};

// The environment with the most devices at the ceiling; among equals the one with the largest lowest rate, not counting
// zeros; then the first. Requires ceiling > 0.
MergedEnvironment choose_environment(const RateTable& rates, std::size_t test, double ceiling);

struct Merged {
  std::vector<MergedEnvironment> tests;  // in the order of the table
  std::size_t reached = 0;               // pairs of test and device at the ceiling
};

Merged merge_environments(const RateTable& rates, double target, double budget_seconds);

// The pairs of test and device reached within each budget: never fewer with more time.
std::vector<std::size_t> merge_curve(const RateTable& rates, double target, std::span<const double> budgets);

}  // namespace weakspot::stats

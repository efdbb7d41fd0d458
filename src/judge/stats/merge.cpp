// SPDX-License-Identifier: MIT
#include "stats/merge.h"

#include "base/check.h"
#include "stats/reproducibility.h"

namespace weakspot::stats {

RateTable::RateTable(std::size_t tests, std::size_t environments, std::size_t devices)
    : tests_(tests), environments_(environments), devices_(devices), rates_(tests * environments * devices) {}

std::size_t RateTable::index(std::size_t test, std::size_t environment, std::size_t device) const {
  WEAKSPOT_CHECK(test < tests_ && environment < environments_ && device < devices_);
  return (test * environments_ + environment) * devices_ + device;
}

MergedEnvironment choose_environment(const RateTable& rates, std::size_t test, double ceiling) {
  WEAKSPOT_CHECK(ceiling > 0);
  MergedEnvironment best;
  for (std::size_t environment = 0; environment < rates.environments(); ++environment) {
    MergedEnvironment candidate{environment, 0, 0};
    for (std::size_t device = 0; device < rates.devices(); ++device) {
      const double rate = rates.at(test, environment, device);
      if (rate >= ceiling) ++candidate.devices_reached;
      if (rate > 0 && (candidate.lowest_rate == 0 || rate < candidate.lowest_rate)) candidate.lowest_rate = rate;
    }
    const bool more = candidate.devices_reached > best.devices_reached;
    const bool as_many = candidate.devices_reached == best.devices_reached;
    if (more || (as_many && candidate.lowest_rate > best.lowest_rate)) best = candidate;
  }
  return best;
}

Merged merge_environments(const RateTable& rates, double target, double budget_seconds) {
  const double ceiling = ceiling_rate(target, budget_seconds);
  Merged merged;
  for (std::size_t test = 0; test < rates.tests(); ++test) {
    merged.tests.push_back(choose_environment(rates, test, ceiling));
    merged.reached += merged.tests.back().devices_reached;
  }
  return merged;
}

std::vector<std::size_t> merge_curve(const RateTable& rates, double target, std::span<const double> budgets) {
  std::vector<std::size_t> curve;
  for (const double budget : budgets) curve.push_back(merge_environments(rates, target, budget).reached);
  return curve;
}

}  // namespace weakspot::stats

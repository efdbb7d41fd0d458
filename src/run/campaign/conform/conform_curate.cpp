// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "campaign/conform.h"
#include "stats/reproducibility.h"

namespace weakspot::campaign {
namespace {

// Rates of a mutant below this fraction of its best are dropped: they would only cost measuring time.
constexpr double kNearBest = 0.25;

double rate_now(const MutantResult& mutant, std::size_t environment) {
  return mutant.was_killed() ? mutant.rates[environment] : mutant.rate_of_suite(environment);
}

std::set<std::size_t> environments_of_use(const ConformReport& report) {
  std::set<std::size_t> used;
  for (const TestResult& test : report.tests) {
    for (const PlannedPart& part : test.plan.parts) used.insert(part.environment);
    for (const MutantResult& mutant : test.mutants) {
      if (!mutant.counts()) continue;
      std::size_t best = 0;
      for (std::size_t e = 0; e < mutant.rates.size(); ++e) {
        if (rate_now(mutant, e) > rate_now(mutant, best)) best = e;
      }
      if (best < mutant.rates.size() && rate_now(mutant, best) > 0) used.insert(best);
    }
  }
  return used;
}

// Marks a mutant that was never killed as unseen if even the upper bound of its rate would not reach the target within
// a test's share of the budget.
void mark_unseen(const ConformReport& report, const MutantResult& measured, SuiteMutant& mutant) {
  double seconds = 0;
  std::size_t environments = 0;
  for (const Slice& slice : measured.slices) {
    seconds += slice.seconds;
    environments += slice.seconds > 0 ? 1 : 0;
  }
  if (seconds == 0) return;
  const double highest = Slice{0, 0, seconds, "", false}.rate().interval.high;
  const double share = report.options.budget / static_cast<double>(report.tests.size());
  if (highest * share >= static_cast<double>(stats::sightings_needed(report.options.target))) return;
  mutant.status = MutantStatus::unseen;
  mutant.reason =
      fmt::format("never seen in {:.3g} s in {} environment{}", seconds, environments, environments == 1 ? "" : "s");
}

}  // namespace

ConformanceSuite curated(const ConformReport& report) {
  const std::set<std::size_t> used = environments_of_use(report);
  const std::vector<std::size_t> kept(used.begin(), used.end());
  ConformanceSuite result = *report.suite;
  result.measured_on = fmt::format("{}, {}", report.device_name, report.driver);
  result.environments.clear();
  for (const std::size_t e : kept) result.environments.push_back(report.suite->environments[e]);
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    for (std::size_t m = 0; m < result.tests[i].mutants.size(); ++m) {
      SuiteMutant& mutant = result.tests[i].mutants[m];
      const MutantResult& measured = report.tests[i].mutants[m];
      mutant.rates.clear();
      if (!measured.counts()) continue;
      for (std::size_t e = 0; e < kept.size(); ++e) {
        if (rate_now(measured, kept[e]) > 0) mutant.rates.push_back({e, rate_now(measured, kept[e])});
      }
      std::sort(mutant.rates.begin(), mutant.rates.end(), [](const KillRate& a, const KillRate& b) {
        return std::pair(-a.per_second, a.environment) < std::pair(-b.per_second, b.environment);
      });
      if (mutant.rates.empty()) {
        mark_unseen(report, measured, mutant);
        continue;
      }
      const double least = mutant.rates.front().per_second * kNearBest;
      std::erase_if(mutant.rates, [&](const KillRate& rate) { return rate.per_second < least; });
    }
  }
  return result;
}

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
#include "campaign/conform_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "stats/merge.h"
#include "stats/reproducibility.h"

namespace weakspot::campaign {
namespace {

// Times the seconds that a test needs, after which others may have the rest: the device may be slower than planned.
constexpr double kSafety = 4;

// The algorithm's choice for these mutants; nothing if none of them is ever killed.
std::optional<std::size_t> choose(const MutantRates& rates, const std::vector<std::size_t>& mutants, double ceiling) {
  const std::size_t environments = rates.front().size();
  stats::RateTable table(1, environments, mutants.size());
  for (std::size_t e = 0; e < environments; ++e) {
    for (std::size_t m = 0; m < mutants.size(); ++m) table.at(0, e, m) = rates[mutants[m]][e];
  }
  return stats::choose_environment(table, 0, ceiling).environment;
}

PlannedTest plan_test(const MutantRates& rates, const PlanGoal& goal, double share) {
  const double ceiling = stats::ceiling_rate(goal.target, share);
  const auto sightings = static_cast<double>(stats::sightings_needed(goal.target));
  PlannedTest plan;
  std::vector<std::size_t> left(rates.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    const std::optional<std::size_t> chosen = choose(rates, left, ceiling);
    if (!chosen) break;
    // Mutants served by this environment: those that reach the ceiling in it. If none does, those for which it is the
    // best; failing that, all that it kills.
    std::vector<std::size_t> served, others;
    for (const std::size_t m : left) (rates[m][*chosen] >= ceiling ? served : others).push_back(m);
    if (served.empty()) {
      auto best_here = [&](std::size_t m) {
        return rates[m][*chosen] > 0 && rates[m][*chosen] == *std::max_element(rates[m].begin(), rates[m].end());
      };
      std::copy_if(left.begin(), left.end(), std::back_inserter(served), best_here);
      if (served.empty()) {
        std::copy_if(left.begin(), left.end(), std::back_inserter(served),
                     [&](std::size_t m) { return rates[m][*chosen] > 0; });
      }
      others.clear();
      std::set_difference(left.begin(), left.end(), served.begin(), served.end(), std::back_inserter(others));
    }
    double seconds = goal.least;
    for (const std::size_t m : served) seconds = std::max(seconds, sightings / rates[m][*chosen]);
    const auto again = std::find_if(plan.parts.begin(), plan.parts.end(),
                                    [&](const PlannedPart& part) { return part.environment == *chosen; });
    if (again == plan.parts.end()) {
      plan.parts.push_back({*chosen, seconds});
    } else {
      again->seconds = std::max(again->seconds, seconds);
    }
    left = std::move(others);
  }
  for (const PlannedPart& part : plan.parts) plan.needed += part.seconds;
  if (!left.empty()) plan.needed = std::numeric_limits<double>::infinity();
  if (plan.parts.empty()) plan.parts.push_back({0, goal.least});
  return plan;
}

void stretch(PlannedTest& plan, double seconds) {
  double planned = 0;
  for (const PlannedPart& part : plan.parts) planned += part.seconds;
  for (PlannedPart& part : plan.parts) part.seconds *= seconds / planned;
}

}  // namespace

std::vector<PlannedTest> plan_tests(const std::vector<MutantRates>& tests, const PlanGoal& goal) {
  std::vector<PlannedTest> plans;
  if (tests.empty()) return plans;
  const double share = goal.budget / static_cast<double>(tests.size());
  for (const MutantRates& rates : tests) plans.push_back(plan_test(rates, goal, share));

  // The budget is divided in steps: the least time for every test; the needed time for tests in order of need, smallest
  // first, which reaches the most tests; a common margin for those; then half of the rest to the tests not reached, if
  // there are any, and what remains to all.
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(plans[a].needed, a) < std::pair(plans[b].needed, b);
  });
  // Later tests must at least be able to run.
  double left = goal.budget - goal.least * static_cast<double>(plans.size());
  for (const std::size_t i : order) {
    plans[i].reached = plans[i].needed - goal.least <= left;
    if (plans[i].reached) left -= std::max(plans[i].needed - goal.least, 0.0);
  }
  left = std::max(left, 0.0);
  std::vector<double> seconds;
  double reached = 0;
  for (const PlannedTest& plan : plans) {
    seconds.push_back(plan.reached ? std::max(plan.needed, goal.least) : goal.least);
    if (plan.reached) reached += seconds.back();
  }
  // The same margin for all that are reached.
  const double margin = std::min(left, reached * (kSafety - 1));
  left -= margin;
  std::vector<std::size_t> lacking;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].reached) {
      seconds[i] *= 1 + margin / reached;
    } else {
      lacking.push_back(i);
    }
  }
  // Violations may be rarer than mutants: all tests have a share of what is left.
  const double to_lacking = lacking.empty() ? 0 : left / 2;
  for (const std::size_t i : lacking) seconds[i] += to_lacking / static_cast<double>(lacking.size());
  for (double& s : seconds) s += (left - to_lacking) / static_cast<double>(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) stretch(plans[i], seconds[i]);
  return plans;
}

double expected_kills(const std::vector<double>& rates, const std::vector<PlannedPart>& parts) {
  double kills = 0;
  for (const PlannedPart& part : parts) kills += rates[part.environment] * part.seconds;
  return kills;
}

}  // namespace weakspot::campaign

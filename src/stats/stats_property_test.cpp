#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/merge.h"
#include "stats/rates.h"
#include "stats/reproducibility.h"

namespace weakspot::stats {
namespace {

double binomial_probability(std::uint64_t successes, std::uint64_t trials, double p) {
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
                  (n - k) * std::log1p(-p));
}

RC_GTEST_PROP(Intervals, CoverABinomialProbabilityAsOftenAsTheySay, ()) {
  const auto trials = *rc::gen::inRange<std::uint64_t>(1, 60);
  const double p = *rc::gen::inRange(1, 1000) / 1000.0;
  const double confidence = *rc::gen::element(0.5, 0.9, 0.95, 0.999);
  double covered = 0;
  for (std::uint64_t seen = 0; seen <= trials; ++seen) {
    if (binomial_interval(seen, trials, confidence).contains(p)) covered += binomial_probability(seen, trials, p);
  }
  RC_ASSERT(covered >= confidence - 1e-9);
}

RC_GTEST_PROP(Intervals, CoverAPoissonMeanAsOftenAsTheySay, ()) {
  const double mean = *rc::gen::inRange(1, 3000) / 100.0;
  const double confidence = *rc::gen::element(0.5, 0.9, 0.95, 0.999);
  double covered = 0, probability = std::exp(-mean);
  for (std::uint64_t seen = 0; seen <= 200; ++seen) {
    if (poisson_interval(seen, confidence).contains(mean)) covered += probability;
    probability *= mean / static_cast<double>(seen + 1);
  }
  RC_ASSERT(covered >= confidence - 1e-9);
}

RC_GTEST_PROP(Intervals, HoldTheRateAndNarrowWithLessConfidence, ()) {
  const auto instances = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'000);
  const auto seen = *rc::gen::inRange<std::uint64_t>(0, instances + 1);
  const Rate wide = fraction(seen, instances, 0.99);
  const Rate narrow = fraction(seen, instances, 0.9);
  RC_ASSERT(wide.interval.contains(wide.value) && narrow.interval.contains(narrow.value));
  RC_ASSERT(wide.interval.low <= narrow.interval.low && narrow.interval.high <= wide.interval.high);
}

RC_GTEST_PROP(Reproducibility, OfTheSightingsNeededReachesTheTargetAndOfOneLessDoesNot, ()) {
  const double target = *rc::gen::inRange(1, 1'000'000) / 1'000'000.0;
  const auto needed = static_cast<double>(sightings_needed(target));
  RC_ASSERT(reproducibility(needed) >= target);
  RC_ASSERT(reproducibility(needed - 1) < target);
}

RateTable draw_rates() {
  const auto tests = *rc::gen::inRange<std::size_t>(1, 4);
  const auto environments = *rc::gen::inRange<std::size_t>(1, 7);
  const auto devices = *rc::gen::inRange<std::size_t>(1, 5);
  RateTable rates(tests, environments, devices);
  for (std::size_t test = 0; test < tests; ++test) {
    for (std::size_t environment = 0; environment < environments; ++environment) {
      for (std::size_t device = 0; device < devices; ++device) {
        rates.at(test, environment, device) = *rc::gen::element(0, 0, 1, 2, 3, 5, 8, 13, 100);
      }
    }
  }
  return rates;
}

RC_GTEST_PROP(MergeEnvironments, ReachesNoLessWithMoreTime, ()) {
  const RateTable rates = draw_rates();
  std::vector<double> budgets = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(1, 5000), [](int milliseconds) { return milliseconds / 1000.0; }));
  std::sort(budgets.begin(), budgets.end());
  const std::vector<std::size_t> curve = merge_curve(rates, 0.95, budgets);
  RC_ASSERT(std::is_sorted(curve.begin(), curve.end()));
}

RC_GTEST_PROP(MergeEnvironments, NoOtherEnvironmentIsBetter, ()) {
  const RateTable rates = draw_rates();
  const double ceiling = *rc::gen::inRange(1, 20);
  for (std::size_t test = 0; test < rates.tests(); ++test) {
    const MergedEnvironment best = choose_environment(rates, test, ceiling);
    for (std::size_t environment = 0; environment < rates.environments(); ++environment) {
      RateTable alone(1, 1, rates.devices());
      for (std::size_t device = 0; device < rates.devices(); ++device) {
        alone.at(0, 0, device) = rates.at(test, environment, device);
      }
      const MergedEnvironment other = choose_environment(alone, 0, ceiling);
      RC_ASSERT(other.devices_reached <= best.devices_reached);
      if (other.devices_reached == best.devices_reached) RC_ASSERT(other.lowest_rate <= best.lowest_rate);
    }
  }
}

// What the paper calls stable: an environment that reaches all devices stays the choice when less is asked.
RC_GTEST_PROP(MergeEnvironments, StaysWithAnEnvironmentThatReachesAllDevices, ()) {
  const RateTable rates = draw_rates();
  const double ceiling = *rc::gen::inRange(2, 20);
  const double lower = *rc::gen::inRange(1, 20) / 20.0 * ceiling;
  for (std::size_t test = 0; test < rates.tests(); ++test) {
    const MergedEnvironment strict = choose_environment(rates, test, ceiling);
    if (strict.devices_reached < rates.devices()) continue;
    RC_ASSERT(strict == choose_environment(rates, test, lower));
  }
}

}  // namespace
}  // namespace weakspot::stats

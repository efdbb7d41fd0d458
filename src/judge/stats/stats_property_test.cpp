// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/correlation.h"
#include "stats/kmeans.h"
#include "stats/merge.h"
#include "stats/portability.h"
#include "stats/rates.h"
#include "stats/reproducibility.h"
#include "stats/similarity.h"
#include "stats/stationarity.h"

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

// Stable in the sense of the paper: an environment that reaches all devices stays the choice when less is asked.
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

Matrix draw_matrix(std::size_t most_rows, std::size_t most_columns) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, most_rows + 1);
  const auto columns = *rc::gen::inRange<std::size_t>(1, most_columns + 1);
  Matrix matrix(rows, columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (double& value : matrix.row(row)) value = *rc::gen::inRange(0, 50);
  }
  return matrix;
}

RC_GTEST_PROP(KMeans, RoundsNeverMakeItWorse, ()) {
  const Matrix rows = draw_matrix(12, 3);
  const KMeansOptions options{.clusters = *rc::gen::inRange<std::size_t>(1, 6), .restarts = 3, .seed = 11};
  const Clusters clusters = k_means(rows, options);
  RC_ASSERT(std::is_sorted(clusters.history.rbegin(), clusters.history.rend()));
  // Every row belongs to a centre, and the distortion is what those centres give.
  double distortion = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    RC_ASSERT(clusters.of_row[row] < clusters.centres.rows());
    distortion += squared_distance(rows.row(row), clusters.centres.row(clusters.of_row[row]));
  }
  RC_ASSERT(std::abs(distortion - clusters.distortion) <= 1e-9 * (1 + distortion));
}

RC_GTEST_PROP(KMeans, MoreClustersNeverMakeItWorse, ()) {
  const std::vector<double> curve = distortions(draw_matrix(10, 3), 6, {.restarts = 2, .seed = 5});
  RC_ASSERT(std::is_sorted(curve.rbegin(), curve.rend()));
}

RC_GTEST_PROP(Cosine, TheMatrixAgreesWithThePairs, ()) {
  const Matrix rows = draw_matrix(6, 8);
  const Matrix similar = cosine_similarities(rows);
  for (std::size_t a = 0; a < rows.rows(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      RC_ASSERT(std::abs(similar.at(a, b) - cosine(rows.row(a), rows.row(b))) < 1e-12);
    }
  }
}

// The textbook formula as the oracle of the one that standardizes first.
RC_GTEST_PROP(Pearson, AgreesWithTheTextbook, ()) {
  const auto samples = *rc::gen::inRange<std::size_t>(3, 30);
  std::vector<double> x(samples), y(samples);
  for (double& value : x) value = *rc::gen::inRange(-1000, 1000);
  for (double& value : y) value = *rc::gen::inRange(-1000, 1000);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    xy += (x[i] - mean(x)) * (y[i] - mean(y));
    xx += (x[i] - mean(x)) * (x[i] - mean(x));
    yy += (y[i] - mean(y)) * (y[i] - mean(y));
  }
  const std::optional<Correlation> found = pearson(x, y);
  if (!found) {
    RC_ASSERT(xx < 1e-9 || yy < 1e-9);
    return;
  }
  RC_ASSERT(std::abs(found->r - xy / std::sqrt(xx * yy)) < 1e-9);
  RC_ASSERT(found->p_value >= 0 && found->p_value <= 1);
  RC_ASSERT(std::abs(pearson(y, x)->r - found->r) < 1e-12);
}

RC_GTEST_PROP(KolmogorovSmirnov, IsSymmetricAndBoundedByOne, ()) {
  const auto draw = [] {
    return *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
        rc::gen::map(rc::gen::inRange(0, 20), [](int value) { return static_cast<double>(value); })));
  };
  const std::vector<double> a = draw(), b = draw();
  const KsTest test = kolmogorov_smirnov(a, b);
  RC_ASSERT(test == kolmogorov_smirnov(b, a));
  RC_ASSERT(test.distance >= 0 && test.distance <= 1 && test.p_value >= 0 && test.p_value <= 1);
  RC_ASSERT(kolmogorov_smirnov(a, a).distance == 0);
}

// Finer levels can only gain by their own metric.
RC_GTEST_PROP(Portability, NarrowerDomainsShowNoLess, ()) {
  const RateTable rates = draw_rates();
  const auto at = [&](PortabilityMetric metric, PortabilityLevel level) {
    return choose_portable(rates, metric, level);
  };
  using enum PortabilityLevel;
  for (const PortabilityLevel level : {per_device, per_test, per_device_and_test}) {
    RC_ASSERT(at(PortabilityMetric::mfs, level).rate_sum >= at(PortabilityMetric::mfs, global).rate_sum);
    RC_ASSERT(at(PortabilityMetric::mlfsf, level).shown >= at(PortabilityMetric::mlfsf, global).shown);
  }
}

}  // namespace
}  // namespace weakspot::stats

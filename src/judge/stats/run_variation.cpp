// SPDX-License-Identifier: MIT
#include "stats/run_variation.h"

#include <algorithm>
#include <cmath>

#include "stats/distribution/distributions.h"

namespace weakspot::stats {
namespace {

// Runs of a side from which on they are used in place of their slices.
constexpr double kEnoughRuns = 4;
// Fewer slices of equal size, or so many of unequal size that they count as fewer, say nothing.
constexpr double kFewestParts = 2;
constexpr double kLeastNormal = 1e-290;
// Noise can hide variation, so an estimate is raised by this part of its standard error.
constexpr double kRaised = 0.5;

Seen total(std::span<const Seen> parts) {
  Seen sum;
  for (const Seen& part : parts) {
    sum.count += part.count;
    sum.instances += part.instances;
  }
  return sum;
}

// The number of parts of equal size that would average as well as these (Kish).
double effective(std::span<const Seen> parts) {
  double sum = 0, squares = 0;
  for (const Seen& part : parts) {
    const double size = static_cast<double>(part.instances);
    sum += size;
    squares += size * size;
  }
  return squares == 0 ? 0 : sum * sum / squares;
}

// The relative variance of the chances of parts beyond that of independent instances. It may come out negative: taken
// as 0 only after adding up, or noise would look like variation.
struct PartVariation {
  double weighted = 0;  // times the degrees
  double degrees = 0;
  double with_noise = 0;  // the whole variance, times the degrees

  void add(std::span<const Seen> parts) {
    const Seen sum = total(parts);
    const double number = effective(parts);
    if (sum.count == 0 || number < kFewestParts) return;
    const double size = static_cast<double>(sum.instances), chance = sum.chance();
    double squares = 0;
    for (const Seen& part : parts) {
      const double off = static_cast<double>(part.count) - chance * static_cast<double>(part.instances);
      squares += off * off;
    }
    const double variance = squares / (size * size) * number * number / (number - 1);
    const double noise = chance * (1 - chance) * number / size;
    weighted += (variance - noise) / (chance * chance) * (number - 1);
    with_noise += variance / (chance * chance) * (number - 1);
    degrees += number - 1;
  }

  void tell(RunVariation& variation) const {
    variation.degrees = degrees;
    if (degrees == 0) return;
    const double error = with_noise / degrees * std::sqrt(2 / degrees);
    variation.relative = std::max(0.0, weighted / degrees + kRaised * error);
  }
};

std::vector<Seen> totals(std::span<const SlicedRun> runs) {
  std::vector<Seen> sums;
  for (const SlicedRun& run : runs) sums.push_back(total(run));
  return sums;
}

// The variance of independent instances' difference, for a chance of `p`.
double noise_of(const Seen& a, const Seen& b, double p) {
  return p * (1 - p) * (1 / static_cast<double>(a.instances) + 1 / static_cast<double>(b.instances));
}

}  // namespace

RunVariation run_variation(std::span<const SlicedRun> a, std::span<const SlicedRun> b) {
  const std::vector<Seen> runs_a = totals(a), runs_b = totals(b);
  RunVariation variation;
  variation.runs_a = std::max(1.0, effective(runs_a));
  variation.runs_b = std::max(1.0, effective(runs_b));
  PartVariation parts;
  for (const std::vector<Seen>* side : {&runs_a, &runs_b}) {
    if (effective(*side) >= kEnoughRuns) parts.add(*side);
  }
  if (parts.degrees == 0) {
    for (const std::span<const SlicedRun> side : {a, b}) {
      for (const SlicedRun& run : side) parts.add(run);
    }
  }
  parts.tell(variation);
  return variation;
}

CountDifference compare_counts(const Seen& a, const Seen& b, const RunVariation& variation) {
  CountDifference difference = compare_counts(a, b);
  if (!variation.is_known() || difference.p == 1) return difference;
  const double p = (static_cast<double>(a.count) + static_cast<double>(b.count)) /
                   (static_cast<double>(a.instances) + static_cast<double>(b.instances));
  const double noise = noise_of(a, b, p);
  const double varied = noise + variation.of_ratio() * p * p;
  // The distance of the counts in deviations of independent instances. Beyond the range of doubles, the chances give
  // it.
  const double deviations = difference.p > kLeastNormal ? -normal_quantile(difference.p / 2)
                                                        : std::abs(a.chance() - b.chance()) / std::sqrt(noise);
  difference.p = student_two_sided(deviations * std::sqrt(noise / varied), variation.degrees);
  return difference;
}

RunVariation pooled_variation(std::span<const SlicedRun> runs) {
  PartVariation parts;
  for (const SlicedRun& run : runs) parts.add(run);
  RunVariation variation;
  parts.tell(variation);
  return variation;
}

Interval widened(const Interval& given, double estimate, const RunVariation& variation, double confidence) {
  Interval interval = given;
  if (!variation.is_known()) return interval;
  const double quantile = student_quantile(1 - (1 - confidence) / 2, variation.degrees);
  const double wider = quantile / -normal_quantile((1 - confidence) / 2);
  const double apart = quantile * std::sqrt(variation.of_ratio());
  // An end's distance from the estimate, in logarithms, with the variation added. A ratio that is 0 or infinite has one
  // end to move.
  const auto distance = [&](double from, double to) {
    const bool finite = from > 0 && to > 0 && std::isfinite(from) && std::isfinite(to);
    return finite ? std::hypot(std::abs(std::log(from / to)) * wider, apart) : apart;
  };
  if (std::isfinite(estimate) && estimate > 0) {
    if (interval.low > 0) interval.low = estimate * std::exp(-distance(estimate, interval.low));
    if (std::isfinite(interval.high)) interval.high = estimate * std::exp(distance(estimate, interval.high));
  } else {
    interval.low *= std::exp(-apart);
    interval.high *= std::exp(apart);
  }
  return interval;
}

RateRatio rate_ratio(const Seen& a, const Seen& b, const RunVariation& variation, double confidence) {
  RateRatio ratio = rate_ratio(a, b, confidence);
  if (!variation.is_known() || std::isnan(ratio.estimate)) return ratio;
  const Interval wide = widened({ratio.low, ratio.high}, ratio.estimate, variation, confidence);
  ratio.low = wide.low;
  ratio.high = wide.high;
  return ratio;
}

}  // namespace weakspot::stats

// SPDX-License-Identifier: MIT
#include "stats/stationarity.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/sort.h"
#include "stats/distribution/distributions.h"

namespace weakspot::stats {
namespace {

constexpr std::size_t kFewestSamples = 4;

std::optional<KsTest> compare(std::vector<double> first, std::vector<double> last) {
  if (first.size() < kFewestSamples || last.size() < kFewestSamples) return std::nullopt;
  return kolmogorov_smirnov(std::move(first), std::move(last));
}

}  // namespace

KsTest kolmogorov_smirnov(std::vector<double> first, std::vector<double> second) {
  WEAKSPOT_CHECK(!first.empty() && !second.empty());
  base::sort(first);
  base::sort(second);
  const auto n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  double distance = 0;
  std::size_t i = 0, j = 0;
  while (i < first.size() && j < second.size()) {
    // Equal samples are stepped over on both sides before the distributions are compared.
    const double at = std::min(first[i], second[j]);
    while (i < first.size() && first[i] == at) ++i;
    while (j < second.size() && second[j] == at) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  const double root = std::sqrt(n * m / (n + m));
  return {distance, std::clamp(kolmogorov_upper((root + 0.12 + 0.11 / root) * distance), 0.0, 1.0)};
}

std::optional<KsTest> stationarity(std::span<const double> samples) {
  const auto count = static_cast<double>(samples.size());
  const auto first = static_cast<std::size_t>(std::ceil(count * kFirstPart));
  const auto last = static_cast<std::size_t>(std::ceil(count * kLastPart));
  return compare({samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(first)},
                 {samples.end() - static_cast<std::ptrdiff_t>(last), samples.end()});
}

std::vector<double> inter_arrivals(std::span<const std::uint64_t> sightings) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < sightings.size(); ++i) {
    WEAKSPOT_CHECK(sightings[i - 1] <= sightings[i]);
    gaps.push_back(static_cast<double>(sightings[i] - sightings[i - 1]));
  }
  return gaps;
}

std::optional<KsTest> stationarity(std::span<const std::uint64_t> sightings, std::uint64_t iterations) {
  const auto total = static_cast<double>(iterations);
  const auto before = [](std::uint64_t sighting, double bound) { return static_cast<double>(sighting) < bound; };
  const auto first_end = std::lower_bound(sightings.begin(), sightings.end(), kFirstPart * total, before);
  const auto last_begin = std::lower_bound(sightings.begin(), sightings.end(), (1 - kLastPart) * total, before);
  return compare(inter_arrivals({sightings.begin(), first_end}), inter_arrivals({last_begin, sightings.end()}));
}

}  // namespace weakspot::stats

// SPDX-License-Identifier: MIT
// Checks whether a device behaves at the end of a run as it did at the beginning (Kirkham et al., OOPSLA 2020, section
// 4.3). If it does not, for example because it heats up, intervals and tuning based on them mean little.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weakspot::stats {

// The test of Kolmogorov and Smirnov that two sets of samples come from one distribution: the largest distance between
// their empirical distributions, and the probability of at least that distance. The probability is the asymptotic one
// with Stephens' correction for small numbers; with many equal samples it errs on the large side.
struct KsTest {
  double distance = 0;
  double p_value = 1;

  friend bool operator==(const KsTest&, const KsTest&) = default;
};

// Requires samples on both sides.
KsTest kolmogorov_smirnov(std::vector<double> first, std::vector<double> second);

inline constexpr double kFirstPart = 0.2;
inline constexpr double kLastPart = 0.1;

// Compares the first 20 % of the samples with the last 10 %. The samples are in order of time: sightings in slices of
// equal length, or the numbers of inter_arrivals(). None if a part has fewer than four samples.
std::optional<KsTest> stationarity(std::span<const double> samples);

// The iterations from each sighting to the next. `sightings` are numbers of iterations, ascending.
std::vector<double> inter_arrivals(std::span<const std::uint64_t> sightings);

// The same comparison of the iterations between sightings. The parts are parts of the run, not of the sightings: a
// device that falls silent towards the end has few sightings there.
std::optional<KsTest> stationarity(std::span<const std::uint64_t> sightings, std::uint64_t iterations);

}  // namespace weakspot::stats

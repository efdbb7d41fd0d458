// Whether a device behaves at the end of a run as it did at the beginning: the check of Kirkham et al., OOPSLA 2020
// (section 4.3). Intervals, and tuning that rests on them, mean little where it does not, for example while a device
// heats up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weakspot::stats {

// The test of Kolmogorov and Smirnov that two sets of samples come from one distribution: the largest distance of
// their empirical distributions and the probability of at least that distance. The probability is the asymptotic one
// with Stephens' correction for small numbers; with many equal samples it is too large rather than too small.
struct KsTest {
  double distance = 0;
  double p_value = 1;

  friend bool operator==(const KsTest&, const KsTest&) = default;
};

// Requires samples on both sides.
KsTest kolmogorov_smirnov(std::vector<double> first, std::vector<double> second);

inline constexpr double kFirstPart = 0.2;
inline constexpr double kLastPart = 0.1;

// Compares the first 20 % of the samples, given in the order of time, with the last 10 %: the sightings in slices of
// equal length, or the numbers of inter_arrivals(). None when there are fewer than four samples in a part.
std::optional<KsTest> stationarity(std::span<const double> samples);

// The iterations from each sighting to the next. `sightings` are numbers of iterations, ascending.
std::vector<double> inter_arrivals(std::span<const std::uint64_t> sightings);

// The same comparison by the iterations between sightings, where the parts are of the run and not of the sightings: a
// device that falls silent towards the end has few sightings there.
std::optional<KsTest> stationarity(std::span<const std::uint64_t> sightings, std::uint64_t iterations);

}  // namespace weakspot::stats

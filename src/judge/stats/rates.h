// SPDX-License-Identifier: MIT
// Rates of sightings, and how far off the true rate may be. The intervals are exact: they contain the true value with
// at least the stated confidence, even for few sightings or none, where normal approximations fail.
#pragma once

#include <cstdint>

namespace weakspot::stats {

inline constexpr double kConfidence = 0.95;

struct Interval {
  double low = 0;
  double high = 0;

  bool contains(double x) const { return low <= x && x <= high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// For the probability of success, after Clopper and Pearson. [0, 1] without trials.
Interval binomial_interval(std::uint64_t successes, std::uint64_t trials, double confidence = kConfidence);

// For the expected number of events of a Poisson process, after Garwood.
Interval poisson_interval(std::uint64_t events, double confidence = kConfidence);

struct Rate {
  double value = 0;
  Interval interval;

  friend bool operator==(const Rate&, const Rate&) = default;
};

// Sightings per instance.
Rate fraction(std::uint64_t sightings, std::uint64_t instances, double confidence = kConfidence);

// Sightings per second. 0 within [0, infinity) without time.
Rate per_second(std::uint64_t sightings, double seconds, double confidence = kConfidence);

// The rate as the MC Mutants study gives it: the quotient rounded decimally to three places, ties to even. 0 without
// time.
double rounded_rate(std::uint64_t sightings, double seconds);

}  // namespace weakspot::stats

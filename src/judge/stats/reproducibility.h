// SPDX-License-Identifier: MIT
// The chance that something seen before is seen again, and the length of a run that this takes. The terms are those of
// the two studies of the subject: Kirkham et al., OOPSLA 2020 (section 1.1), and Levine et al., ASPLOS 2023 (section
// 4.2).
#pragma once

#include <cstdint>
#include <span>

namespace weakspot::stats {

// The probability that a behaviour seen `sightings` times is seen at least once when the run is repeated: 1 - e^-n.
double reproducibility(double sightings);

// The probability that all of several tests show their behaviours in one repetition: the product.
double total_reproducibility(std::span<const double> reproducibilities);

// The sightings that a run needs for a reproducibility of at least `target`: 3 for 95 %, 12 for 99.999 %.
// Requires 0 <= target < 1.
std::uint64_t sightings_needed(double target);

// The rate at which a test shows its behaviour often enough within the budget. Requires target > 0, budget_seconds > 0.
double ceiling_rate(double target, double budget_seconds);

struct Sighted {
  std::uint64_t sightings = 0;
  std::uint64_t iterations = 0;
};

// The expected number of these cells (a test in an environment on a device) that would miss their behaviour if all were
// repeated. A lower bound on the false negatives of a study of this size: cells without sightings add nothing, although
// they may be misses themselves.
double false_negatives(std::span<const Sighted> cells);

}  // namespace weakspot::stats

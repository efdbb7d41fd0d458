// SPDX-License-Identifier: MIT
#include "stats/reproducibility.h"

#include <cmath>

#include "base/check.h"

namespace weakspot::stats {

double reproducibility(double sightings) {
  WEAKSPOT_CHECK(sightings >= 0);
  return -std::expm1(-sightings);
}

double total_reproducibility(std::span<const double> reproducibilities) {
  double product = 1;
  for (const double reproducibility : reproducibilities) product *= reproducibility;
  return product;
}

std::uint64_t sightings_needed(double target) {
  WEAKSPOT_CHECK(target >= 0 && target < 1);
  auto sightings = static_cast<std::uint64_t>(std::ceil(-std::log1p(-target)));
  // A target computed from a whole number of sightings must give that number back, not one more.
  while (sightings > 0 && reproducibility(static_cast<double>(sightings - 1)) >= target) --sightings;
  return sightings;
}

double ceiling_rate(double target, double budget_seconds) {
  WEAKSPOT_CHECK(budget_seconds > 0);
  return static_cast<double>(sightings_needed(target)) / budget_seconds;
}

double false_negatives(std::span<const Sighted> cells) {
  double missed = 0;
  for (const Sighted& cell : cells) {
    WEAKSPOT_CHECK(cell.sightings <= cell.iterations);
    if (cell.sightings == 0 || cell.sightings == cell.iterations) continue;
    const auto iterations = static_cast<double>(cell.iterations);
    missed += std::exp(iterations * std::log1p(-static_cast<double>(cell.sightings) / iterations));
  }
  return missed;
}

}  // namespace weakspot::stats

// SPDX-License-Identifier: MIT
// Correlation of tests over the same environments, and the order of tuning that follows from it (Kirkham et al.,
// OOPSLA 2020, section 5.3; Levine et al., ASPLOS 2023, section 5.4).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/matrix.h"

namespace weakspot::stats {

struct Correlation {
  double r = 0;        // Pearson's coefficient
  double p_value = 1;  // the probability of a coefficient at least as far from 0 without correlation, by Student's t
  std::size_t samples = 0;

  friend bool operator==(const Correlation&, const Correlation&) = default;
};

// None for fewer than three samples, or when one side does not vary.
std::optional<Correlation> pearson(std::span<const double> x, std::span<const double> y);

// r * r of all pairs of rows: a row per test, a column per environment. 0 where a row does not vary, 1 on the diagonal.
Matrix r_squared(const Matrix& samples);

struct Priority {
  std::size_t test = 0;
  double sum = 0;  // the sum of r * r with the other tests, relative to the largest such sum

  friend bool operator==(const Priority&, const Priority&) = default;
};

// The tests that say most about the others first; equal ones in their own order.
std::vector<Priority> tuning_priority(const Matrix& r_squared);

}  // namespace weakspot::stats

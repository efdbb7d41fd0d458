// SPDX-License-Identifier: MIT
#include "stats/reproducibility.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace weakspot::stats {
namespace {

TEST(Reproducibility, IsThatOfThePapers) {
  EXPECT_NEAR(0.6321, reproducibility(1), 5e-5);
  EXPECT_NEAR(0.8647, reproducibility(2), 5e-5);
  EXPECT_NEAR(0.9502, reproducibility(3), 5e-5);
  EXPECT_EQ(0, reproducibility(0));
  EXPECT_EQ(1, reproducibility(1e9));
}

TEST(Reproducibility, OfManyTestsIsTheProduct) {
  EXPECT_NEAR(0.3585, total_reproducibility(std::vector<double>(20, 0.95)), 5e-5);
  EXPECT_NEAR(0.9998, total_reproducibility(std::vector<double>(20, 0.99999)), 5e-7);
  EXPECT_EQ(1, total_reproducibility({}));
}

TEST(Reproducibility, SightingsNeeded) {
  struct Case {
    double target;
    std::uint64_t sightings;
  };
  for (const auto& [target, sightings] : {Case{0.95, 3}, {0.99999, 12}, {0.5, 1}, {0.99, 5}, {0, 0}}) {
    EXPECT_EQ(sightings, sightings_needed(target)) << target;
  }
  for (std::uint64_t n = 1; n <= 20; ++n) {
    EXPECT_EQ(n, sightings_needed(reproducibility(static_cast<double>(n)))) << n;
  }
}

TEST(Reproducibility, CeilingRate) {
  EXPECT_EQ(12.0 / 64, ceiling_rate(0.99999, 64));
  EXPECT_EQ(3 * 1024, ceiling_rate(0.95, 1.0 / 1024));
}

TEST(Reproducibility, FalseNegatives) {
  // One sighting in two iterations is missed with (1/2)^2; certain and absent behaviours add nothing.
  const std::vector<Sighted> cells{{1, 2}, {1, 2}, {3, 3}, {0, 100}};
  EXPECT_NEAR(0.5, false_negatives(cells), 1e-12);
  EXPECT_NEAR(std::exp(-2.0), false_negatives(std::vector<Sighted>{{2, 1'000'000'000}}), 1e-8);
}

}  // namespace
}  // namespace weakspot::stats

// SPDX-License-Identifier: MIT
#include "stats/run_variation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/rng.h"
#include "stats/distribution/distributions.h"

namespace weakspot::stats {
namespace {

class Machine {
 public:
  explicit Machine(std::uint64_t seed) : rng_(seed) {}

  // A run of `slices` of about a million instances. Its chance is off by `of_run` (relative deviation), that of each
  // slice by `of_slice`, and it drifts by `drift` per slice.
  SlicedRun run(double chance, double of_run, double of_slice, double drift, int slices = 16) {
    SlicedRun made;
    double level = 1 + of_run * gauss();
    for (int i = 0; i < slices; ++i) {
      level += drift * gauss();
      const double here = std::max(chance * level * (1 + of_slice * gauss()), 0.0);
      const double size = 1e6 * (0.5 + unit());
      const double count = size * here + std::sqrt(size * here) * gauss();
      made.push_back({static_cast<std::uint64_t>(std::max(count, 0.0)), static_cast<std::uint64_t>(size)});
    }
    return made;
  }

 private:
  double unit() { return (static_cast<double>(rng_.next() >> 11) + 0.5) / 9007199254740992.0; }
  double gauss() { return std::sqrt(-2 * std::log(unit())) * std::cos(2 * std::numbers::pi * unit()); }

  base::Rng rng_;
};

Seen sum_of(const std::vector<SlicedRun>& runs) {
  Seen sum;
  for (const SlicedRun& run : runs) {
    for (const Seen& slice : run) {
      sum.count += slice.count;
      sum.instances += slice.instances;
    }
  }
  return sum;
}

struct Noise {
  double of_run, of_slice, drift;
};

// The share of pairs of sides that differ at this level; the second side has `factor` times the chance.
double share_different(const Noise& noise, double chance, double factor, double level, int runs = 1) {
  Machine machine(7);
  constexpr int kPairs = 2000;
  int different = 0;
  for (int i = 0; i < kPairs; ++i) {
    std::vector<SlicedRun> a, b;
    for (int r = 0; r < runs; ++r) {
      a.push_back(machine.run(chance, noise.of_run, noise.of_slice, noise.drift));
      b.push_back(machine.run(chance * factor, noise.of_run, noise.of_slice, noise.drift));
    }
    different += compare_counts(sum_of(a), sum_of(b), run_variation(a, b)).p < level ? 1 : 0;
  }
  return static_cast<double>(different) / kPairs;
}

TEST(RunVariation, EqualMachinesRarelyDiffer) {
  const Noise kinds[] = {
      {0, 0, 0},        // independent instances
      {0, 0.1, 0},      // slices vary, runs hardly
      {0.1, 0.1, 0},    // runs vary as slices do
      {0, 0.05, 0.01},  // a slow drift
      {0.05, 0.1, 0.01},
  };
  for (const Noise& noise : kinds) {
    for (const double chance : {1e-5, 1e-2, 0.3}) {
      for (const double level : {0.05, 0.01}) {
        EXPECT_LE(share_different(noise, chance, 1, level), 2 * level)
            << noise.of_run << ' ' << noise.of_slice << ' ' << noise.drift << ' ' << chance << ' ' << level;
      }
    }
  }
}

TEST(RunVariation, WithoutItTheyWouldDiffer) {
  Machine machine(3);
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<SlicedRun> a = {machine.run(1e-2, 0.1, 0.1, 0)}, b = {machine.run(1e-2, 0.1, 0.1, 0)};
    different += compare_counts(sum_of(a), sum_of(b)).p < 0.01 ? 1 : 0;
  }
  EXPECT_GT(different, 90);
}

TEST(RunVariation, TwiceTheChanceIsFound) {
  EXPECT_GT(share_different({0, 0, 0}, 1e-4, 2, 1e-3), 0.99);
  EXPECT_GT(share_different({0.05, 0.05, 0}, 1e-2, 2, 1e-3), 0.99);
  EXPECT_GT(share_different({0.1, 0.1, 0}, 1e-2, 2, 1e-2), 0.95);
}

TEST(RunVariation, RepeatedRunsFindSmallDifferences) {
  const Noise noise = {0.1, 0.02, 0};  // slices do not show how much runs vary
  EXPECT_LE(share_different(noise, 1e-2, 1, 0.01, 10), 0.015);
  EXPECT_GT(share_different(noise, 1e-2, 1.3, 0.01, 10), 0.95);
}

TEST(RunVariation, IsMeasured) {
  Machine machine(11);
  const std::vector<SlicedRun> a = {machine.run(0.1, 0, 0.2, 0, 200)}, b = {machine.run(0.3, 0, 0.2, 0, 200)};
  const RunVariation variation = run_variation(a, b);
  EXPECT_NEAR(0.2, std::sqrt(variation.relative), 0.03);
  EXPECT_GT(variation.degrees, 300);
  EXPECT_EQ(1, variation.runs_a);
}

TEST(RunVariation, OneSliceSaysNothing) {
  const std::vector<SlicedRun> a = {{{40, 1000}}}, b = {{{90, 1000}}};
  const RunVariation variation = run_variation(a, b);
  EXPECT_FALSE(variation.is_known());
  EXPECT_EQ(compare_counts({40, 1000}, {90, 1000}).p, compare_counts({40, 1000}, {90, 1000}, variation).p);
  const RateRatio plain = rate_ratio({40, 1000}, {90, 1000}), varied = rate_ratio({40, 1000}, {90, 1000}, variation);
  EXPECT_EQ(plain.low, varied.low);
  EXPECT_EQ(plain.high, varied.high);
}

TEST(RunVariation, TheIntervalOfTheRatioAllowsForIt) {
  RunVariation variation;
  variation.relative = 0.01;
  variation.degrees = 1e9;
  const double apart = 1.959964 * std::sqrt(0.02);
  const RateRatio large = rate_ratio({2'000'000, 10'000'000}, {1'000'000, 10'000'000}, variation);
  EXPECT_NEAR(2 * std::exp(-apart), large.low, 0.01);
  EXPECT_NEAR(2 * std::exp(apart), large.high, 0.01);
  const RateRatio never = rate_ratio({0, 1000}, {40, 1000}), varied = rate_ratio({0, 1000}, {40, 1000}, variation);
  EXPECT_EQ(0, varied.low);
  EXPECT_NEAR(never.high * std::exp(apart), varied.high, 1e-5 * varied.high);
  EXPECT_TRUE(std::isinf(rate_ratio({40, 1000}, {0, 1000}, variation).high));
  EXPECT_TRUE(std::isnan(rate_ratio({0, 1000}, {0, 1000}, variation).estimate));
}

TEST(RunVariation, StudentsQuantile) {
  EXPECT_NEAR(12.7062, student_quantile(0.975, 1), 1e-4);
  EXPECT_NEAR(-2.2281, student_quantile(0.025, 10), 1e-4);
  EXPECT_NEAR(1.959964, student_quantile(0.975, 1e9), 1e-5);
  EXPECT_NEAR(0.01, student_two_sided(student_quantile(0.995, 7), 7), 1e-12);
}

}  // namespace
}  // namespace weakspot::stats

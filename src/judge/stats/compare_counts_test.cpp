// SPDX-License-Identifier: MIT
#include "stats/compare_counts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"

namespace weakspot::stats {
namespace {

// Fisher's test as it is written in a textbook: every table with its probability.
double all_tables_p(const Seen& a, const Seen& b) {
  auto log_choose = [](std::uint64_t n, std::uint64_t k) {
    return std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
           std::lgamma(static_cast<double>(n - k) + 1);
  };
  const std::uint64_t sum = a.count + b.count;
  auto probability = [&](std::uint64_t first) {
    return std::exp(log_choose(a.instances, first) + log_choose(b.instances, sum - first) -
                    log_choose(a.instances + b.instances, sum));
  };
  const double observed = probability(a.count);
  double p = 0;
  for (std::uint64_t first = sum > b.instances ? sum - b.instances : 0; first <= std::min(sum, a.instances); ++first) {
    if (probability(first) <= observed * (1 + 1e-7)) p += probability(first);
  }
  return std::min(p, 1.0);
}

TEST(CompareCounts, KnownTables) {
  // A lady tasting tea; criminal twins.
  EXPECT_NEAR(0.4857143, compare_counts({3, 4}, {1, 4}).p, 1e-7);
  EXPECT_NEAR(0.0005367, compare_counts({2, 17}, {10, 13}).p, 5e-7);
  EXPECT_EQ(1, compare_counts({0, 1000}, {0, 10}).p);
  EXPECT_EQ(1, compare_counts({10, 10}, {1000, 1000}).p);
  EXPECT_EQ(1, compare_counts({0, 0}, {5, 10}).p);
}

TEST(CompareCounts, TheExactTestIsTheSumOverAllTables) {
  base::Rng rng(11);
  for (int i = 0; i < 2000; ++i) {
    Seen a, b;
    a.instances = 1 + rng.below(60);
    b.instances = 1 + rng.below(400);
    a.count = rng.below(a.instances + 1);
    b.count = rng.below(b.instances + 1);
    const CountDifference found = compare_counts(a, b);
    EXPECT_EQ(CountTest::exact, found.test);
    EXPECT_NEAR(all_tables_p(a, b), found.p, 1e-9)
        << a.count << "/" << a.instances << " " << b.count << "/" << b.instances;
    EXPECT_NEAR(found.p, compare_counts(b, a).p, 1e-9);
  }
}

TEST(CompareCounts, BothTestsAgreeWhereOneTakesOver) {
  // Just below and just above: expected counts of 499 and 501.
  const CountDifference exact = compare_counts({560, 5'000'000}, {438, 5'000'000});
  const CountDifference large = compare_counts({564, 5'000'000}, {438, 5'000'000});
  EXPECT_EQ(CountTest::exact, exact.test);
  EXPECT_EQ(CountTest::likelihood_ratio, large.test);
  EXPECT_NEAR(1.27e-4, exact.p, 0.1e-4);
  EXPECT_GT(exact.p, large.p);
  EXPECT_LT(exact.p, 2 * large.p);
}

TEST(CompareCounts, HugeRunsAndHopelessDifferences) {
  EXPECT_EQ(0, compare_counts({1'000'000'000, 10'000'000'000}, {10, 10'000'000'000}).p);
  EXPECT_EQ(0, compare_counts({900, 1000}, {100, 10'000'000'000'000}).p);
  EXPECT_NEAR(1, compare_counts({1, 1'000'000'000'000}, {0, 1'000'000'000'000}).p, 1e-9);
  EXPECT_NEAR(1.0 / 1024, compare_counts({11, 1'000'000'000'000}, {0, 1'000'000'000'000}).p, 1e-8);
}

TEST(RateRatio, SmallCountsAreExact) {
  // Cases per person-year: 11 in 800, 21 in 3011.
  const RateRatio ratio = rate_ratio({11, 800}, {21, 3011});
  EXPECT_NEAR(1.971488, ratio.estimate, 1e-6);
  EXPECT_NEAR(0.8584264, ratio.low, 1e-6);
  EXPECT_NEAR(4.2772659, ratio.high, 1e-6);
  const RateRatio inverse = rate_ratio({21, 3011}, {11, 800});
  EXPECT_NEAR(1 / ratio.low, inverse.high, 1e-6);
  EXPECT_NEAR(1 / ratio.high, inverse.low, 1e-9);
}

TEST(RateRatio, LargeCountsAreNearlyNormal) {
  const RateRatio ratio = rate_ratio({400, 1'000'000}, {100, 1'000'000});
  EXPECT_DOUBLE_EQ(4, ratio.estimate);
  EXPECT_NEAR(4 * std::exp(-1.959964 * std::sqrt(0.0125)), ratio.low, 1e-3);
  EXPECT_NEAR(4 * std::exp(1.959964 * std::sqrt(0.0125)), ratio.high, 1e-3);
  // Outcomes that happen nearly always vary little.
  const RateRatio sure = rate_ratio({999'000, 1'000'000}, {999'000, 1'000'000});
  EXPECT_NEAR(1, sure.low, 1e-4);
}

TEST(RateRatio, NeverSeen) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const RateRatio none = rate_ratio({0, 1000}, {0, 1000});
  EXPECT_TRUE(std::isnan(none.estimate));
  EXPECT_EQ(0, none.low);
  EXPECT_EQ(kInfinite, none.high);
  const RateRatio only_b = rate_ratio({0, 1000}, {5, 1000});
  EXPECT_EQ(0, only_b.estimate);
  EXPECT_EQ(0, only_b.low);
  EXPECT_NEAR(std::pow(0.025, 0.2), 1 / (1 + only_b.high), 1e-6);
  const RateRatio only_a = rate_ratio({5, 1000}, {0, 1000});
  EXPECT_EQ(kInfinite, only_a.estimate);
  EXPECT_NEAR(1 / only_b.high, only_a.low, 1e-9);
  EXPECT_EQ(kInfinite, only_a.high);
}

TEST(Holm, StepsDown) {
  const std::vector<double> adjusted = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  ASSERT_EQ(4u, adjusted.size());
  EXPECT_DOUBLE_EQ(0.03, adjusted[0]);
  EXPECT_DOUBLE_EQ(0.06, adjusted[1]);
  EXPECT_DOUBLE_EQ(0.06, adjusted[2]);
  EXPECT_DOUBLE_EQ(0.02, adjusted[3]);
  EXPECT_TRUE(holm_adjusted({}).empty());
  EXPECT_EQ((std::vector<double>{1, 1}), holm_adjusted(std::vector<double>{0.7, 0.9}));
}

TEST(CompareCounts, EndsWhereCountsAreTooLargeToStepThrough) {
  const std::uint64_t all = std::uint64_t{1} << 60;
  for (const std::uint64_t missing : {0, 3, 4096}) {
    const CountDifference difference = compare_counts({all - missing, all}, {all, all});
    EXPECT_TRUE(0 <= difference.p && difference.p <= 1) << missing;
  }
}

}  // namespace
}  // namespace weakspot::stats

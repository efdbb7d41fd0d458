// SPDX-License-Identifier: MIT
#include "stats/rates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stats/distribution/distributions.h"

namespace weakspot::stats {
namespace {

TEST(Distributions, AgreeWithTables) {
  EXPECT_NEAR(0.5, beta_quantile(1, 1, 0.5), 1e-12);
  EXPECT_NEAR(1 - std::pow(0.025, 1.0 / 10), beta_quantile(1, 10, 0.975), 1e-12);
  EXPECT_NEAR(-std::log(0.05), gamma_quantile(1, 0.95), 1e-12);
  EXPECT_NEAR(0.05, student_two_sided(12.7062047361747, 1), 1e-12);
  EXPECT_NEAR(0.05, student_two_sided(-2.22813885198627, 10), 1e-12);
  EXPECT_EQ(0, student_two_sided(std::numeric_limits<double>::infinity(), 3));
  EXPECT_NEAR(0.05, chi_squared_upper(3.84145882069412, 1), 1e-12);
  EXPECT_NEAR(std::exp(-1.5), chi_squared_upper(3, 2), 1e-12);
  EXPECT_NEAR(1.95996398454005, normal_quantile(0.975), 1e-12);
}

TEST(Distributions, TheTwoSeriesOfKolmogorovMeet) {
  EXPECT_NEAR(0.05, kolmogorov_upper(1.35809863860275), 1e-9);
  EXPECT_NEAR(kolmogorov_upper(1 - 1e-12), kolmogorov_upper(1), 1e-11);
  EXPECT_EQ(1, kolmogorov_upper(0));
  EXPECT_NEAR(0.99999, kolmogorov_upper(0.3028), 1e-5);
}

TEST(Distributions, TheExpansionAgreesWithExactValues) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double p : {1e-9, 0.005, 0.025, 0.5, 0.975, 0.99999}) {
    for (const double shape : {1e6, 1e7, 0.999e8}) {
      const double exact = gamma_quantile(shape, p);
      EXPECT_NEAR(1, shape * std::exp(large_log_odds(shape, infinite, p)) / exact, 1e-11) << shape << " " << p;
    }
    for (const double a : {1e6, 1e7, 3e8}) {
      for (const double b : {1e6, 2e7, 1e10}) {
        const double exact = beta_quantile(a, b, p);
        const double odds = a / b * std::exp(large_log_odds(a, b, p));
        EXPECT_NEAR(1, odds / (1 + odds) / exact, 1e-11) << a << " " << b << " " << p;
      }
    }
  }
}

TEST(Distributions, AreContinuousWhereTheExpansionBegins) {
  for (const double p : {1e-9, 0.025, 0.5, 0.975}) {
    EXPECT_NEAR(1, gamma_quantile(std::nextafter(1e8, 0), p) / gamma_quantile(1e8, p), 1e-13) << p;
    for (const double a : {1.0, 100.0, 9e5, 1e6, 1e8, 3e10, 5e10, 1e11 - 1e6, 1e11 - 9e5, 1e11 - 1}) {
      const double b = 1e11 - a;
      EXPECT_NEAR(1, beta_quantile(a, b - 0.001, p) / beta_quantile(a, b, p), 1e-10) << a << " " << p;
    }
    EXPECT_NEAR(1, beta_quantile(std::nextafter(1e6, 0), 1e12, p) / beta_quantile(1e6, 1e12, p), 1e-11) << p;
  }
}

TEST(Intervals, HoldWhateverTheCounts) {
  for (const double confidence : {0.5, 0.95, 0.9999999999, std::nextafter(1.0, 0.0)}) {
    for (int i = 0; i <= 64; ++i) {
      const std::uint64_t trials = i == 64 ? ~std::uint64_t{0} : std::uint64_t{1} << i;
      const Interval events = poisson_interval(trials, confidence);
      EXPECT_TRUE(events.low < events.high && events.contains(static_cast<double>(trials))) << trials;
      for (int j = 0; j < i; ++j) {
        for (const std::uint64_t successes : {std::uint64_t{1} << j, trials - (std::uint64_t{1} << j)}) {
          const Interval interval = binomial_interval(successes, trials, confidence);
          const double part = static_cast<double>(successes) / static_cast<double>(trials);
          EXPECT_TRUE(0 <= interval.low && interval.low <= part * (1 + 1e-15)) << successes << " of " << trials;
          EXPECT_TRUE(part * (1 - 1e-15) <= interval.high && interval.high <= 1) << successes << " of " << trials;
        }
      }
    }
  }
  // Two million deviations of one: as wide as the normal distribution says.
  const Interval many = poisson_interval(4'000'000'000'000);
  EXPECT_NEAR(2e6 * 1.959963984540054, 4e12 - many.low, 2);
  EXPECT_NEAR(2e6 * 1.959963984540054, many.high - 4e12, 3);
}

TEST(BinomialInterval, KnowsItsClosedForms) {
  // Nothing seen in n trials: the upper end is 1 - (tail)^(1/n).
  const Interval none = binomial_interval(0, 10);
  EXPECT_EQ(0, none.low);
  EXPECT_NEAR(1 - std::pow(0.025, 0.1), none.high, 1e-12);
  const Interval all = binomial_interval(10, 10);
  EXPECT_NEAR(std::pow(0.025, 0.1), all.low, 1e-12);
  EXPECT_EQ(1, all.high);
  EXPECT_EQ((Interval{0, 1}), binomial_interval(0, 0));
}

TEST(BinomialInterval, AgreesWithPublishedTables) {
  // 5 of 10 and 1 of 100 at 95 %.
  EXPECT_NEAR(0.187086, binomial_interval(5, 10).low, 1e-6);
  EXPECT_NEAR(0.812914, binomial_interval(5, 10).high, 1e-6);
  EXPECT_NEAR(0.252857, binomial_interval(1, 100, 0.95).low * 1000, 1e-3);
  EXPECT_NEAR(0.054459, binomial_interval(1, 100, 0.95).high, 1e-6);
}

TEST(BinomialInterval, MeetsPoissonWhenTrialsAreMany) {
  const std::uint64_t trials = 40'000'000'000;
  const Interval binomial = binomial_interval(12, trials);
  const Interval poisson = poisson_interval(12);
  EXPECT_NEAR(poisson.low, binomial.low * static_cast<double>(trials), 1e-6);
  EXPECT_NEAR(poisson.high, binomial.high * static_cast<double>(trials), 1e-6);
}

TEST(PoissonInterval, AgreesWithPublishedTables) {
  EXPECT_EQ(0, poisson_interval(0).low);
  EXPECT_NEAR(-std::log(0.025), poisson_interval(0).high, 1e-12);
  EXPECT_NEAR(0.0253178, poisson_interval(1).low, 1e-7);
  EXPECT_NEAR(5.571643, poisson_interval(1).high, 1e-6);
  EXPECT_NEAR(4.795389, poisson_interval(10).low, 1e-6);
  EXPECT_NEAR(18.390356, poisson_interval(10).high, 1e-6);
}

TEST(Rate, DividesTheIntervalToo) {
  const Rate rate = per_second(10, 2);
  EXPECT_EQ(5, rate.value);
  EXPECT_NEAR(4.795389 / 2, rate.interval.low, 1e-6);
  EXPECT_EQ(0.25, fraction(1, 4).value);
  EXPECT_EQ(binomial_interval(1, 4), fraction(1, 4).interval);
}

TEST(Rate, WithoutTimeOrInstancesNothingIsKnown) {
  EXPECT_EQ((Rate{0, {0, std::numeric_limits<double>::infinity()}}), per_second(0, 0));
  EXPECT_EQ((Rate{0, {0, 1}}), fraction(0, 0));
}

TEST(RoundedRate, RoundsTheDecimalText) {
  EXPECT_EQ(3.051, rounded_rate(4, 1.311));
  EXPECT_EQ(0, rounded_rate(0, 1));
  EXPECT_EQ(0, rounded_rate(5, 0));
  EXPECT_EQ(0, rounded_rate(1, 2500));      // 0.0004
  EXPECT_EQ(0.001, rounded_rate(1, 1999));  // 0.00050025
  EXPECT_EQ(0.062, rounded_rate(1, 16));    // 0.0625, a true tie: to even
  EXPECT_EQ(0.188, rounded_rate(3, 16));    // 0.1875: to even
  EXPECT_EQ(1e18, rounded_rate(1'000'000'000, 1e-9));
}

}  // namespace
}  // namespace weakspot::stats

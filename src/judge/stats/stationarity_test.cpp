// SPDX-License-Identifier: MIT
#include "stats/stationarity.h"

#include <gtest/gtest.h>

#include <numeric>

namespace weakspot::stats {
namespace {

TEST(KolmogorovSmirnov, MeasuresTheLargestDistance) {
  EXPECT_EQ((KsTest{0, 1}), kolmogorov_smirnov({1, 2, 3}, {3, 1, 2}));
  EXPECT_EQ(1, kolmogorov_smirnov({1, 2, 3}, {4, 5, 6}).distance);
  // Between 2 and 3 a half of the first and none of the second lie below.
  EXPECT_EQ(0.5, kolmogorov_smirnov({1, 2, 3, 4}, {3, 4, 5, 6}).distance);
  // Equal samples are one step.
  EXPECT_NEAR(1.0 / 6, kolmogorov_smirnov({1, 1, 2}, {1, 2}).distance, 1e-12);
}

TEST(KolmogorovSmirnov, ProbabilityFollowsTheAsymptoticLaw) {
  // 100 and 100 samples, shifted by 30: 2 exp(-2 x x) for x = (sqrt(50) + 0.12 + 0.11 / sqrt(50)) 0.3.
  std::vector<double> first(100), second(100);
  std::iota(first.begin(), first.end(), 0);
  std::iota(second.begin(), second.end(), 30);
  const KsTest test = kolmogorov_smirnov(first, second);
  EXPECT_NEAR(0.3, test.distance, 1e-12);
  EXPECT_NEAR(1.7421e-4, test.p_value, 1e-8);
}

TEST(Stationarity, ComparesTheFirstFifthWithTheLastTenth) {
  std::vector<double> samples(100);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<double>(i % 5);
  ASSERT_TRUE(stationarity(samples));
  EXPECT_EQ((KsTest{0, 1}), *stationarity(samples));
  for (std::size_t i = 90; i < 100; ++i) samples[i] += 100;
  EXPECT_EQ(1, stationarity(samples)->distance);
  EXPECT_LT(stationarity(samples)->p_value, 1e-4);
  samples[89] = 1e9;  // between the two parts
  EXPECT_EQ(1, stationarity(samples)->distance);
}

TEST(Stationarity, SaysNothingOnFewSamples) {
  EXPECT_EQ(std::nullopt, stationarity(std::vector<double>(30, 1.0)));  // three in the last part
  EXPECT_NE(std::nullopt, stationarity(std::vector<double>(31, 1.0)));
  EXPECT_EQ(std::nullopt, stationarity(std::vector<double>{}));
}

TEST(Stationarity, ByTheIterationsBetweenSightings) {
  EXPECT_EQ((std::vector<double>{3, 0, 6}), inter_arrivals(std::vector<std::uint64_t>{1, 4, 4, 10}));
  EXPECT_EQ(std::vector<double>{}, inter_arrivals(std::vector<std::uint64_t>{7}));
  std::vector<std::uint64_t> steady, slowing;
  for (std::uint64_t at = 0; at < 10'000; at += 10) {
    steady.push_back(at);
    if (at < 5000 || at % 100 == 0) slowing.push_back(at);
  }
  EXPECT_EQ((KsTest{0, 1}), stationarity(steady, 10'000));
  EXPECT_EQ(1, stationarity(slowing, 10'000)->distance);
  EXPECT_EQ(std::nullopt, stationarity(steady, 1'000'000));  // silent at the end
}

}  // namespace
}  // namespace weakspot::stats

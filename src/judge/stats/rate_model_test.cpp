// SPDX-License-Identifier: MIT
#include "stats/rate_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weakspot::stats {
namespace {

TEST(RateModel, BeforeAnythingIsKnownExpectsTheGivenRate) {
  const RateModel model(3, {.rate = 50});
  EXPECT_DOUBLE_EQ(std::log(50), model.at(1, 7).mean);
  EXPECT_GT(model.at(1, 7).deviation, 1);
}

TEST(RateModel, ManyKillsDecide) {
  RateModel model(2, {.rate = 1});
  model.observe(0, 3, 40000, 2);
  EXPECT_NEAR(std::log(20000), model.at(0, 3).mean, 0.01);
  EXPECT_NEAR(1 / std::sqrt(40000), model.at(0, 3).deviation, 1e-3);
  // Nothing links the tests yet.
  EXPECT_NEAR(0, model.at(1, 3).mean, 1e-9);
}

TEST(RateModel, SilenceLowersARateTheMoreTheLongerItLasts) {
  RateModel model(1, {.rate = 1});
  double before = model.at(0, 0).mean;
  for (int i = 0; i < 5; ++i) {
    model.observe(0, 0, 0, 2);
    EXPECT_LT(model.at(0, 0).mean, before);
    before = model.at(0, 0).mean;
  }
  EXPECT_GT(before, std::log(0.02));
}

TEST(RateModel, JitterKeepsItFromBeingSure) {
  RateModel model(1, {.rate = 1, .jitter = 0.1});
  model.observe(0, 0, 1000000, 1);
  EXPECT_NEAR(0.1, model.at(0, 0).deviation, 0.01);
  for (int i = 0; i < 3; ++i) model.observe(0, 0, 1000000, 1);
  EXPECT_NEAR(0.05, model.at(0, 0).deviation, 0.01);
}

// Two tests that go together over environments, a third that does not.
TEST(RateModel, KinTellOfEachOther) {
  RateModel model(3, {.rate = 100});
  for (std::size_t e = 0; e < 40; ++e) {
    const auto rate = static_cast<std::uint64_t>(std::exp(2.0 + static_cast<double>(e % 8)));
    model.observe(0, e, rate * 10, 1);
    if (e < 30) model.observe(1, e, rate, 1);
    if (e < 30) model.observe(2, e, e % 3 * 100, 1);
  }
  for (int i = 0; i < 5; ++i) model.fit();
  for (std::size_t e = 30; e < 40; ++e) {
    EXPECT_NEAR(2.0 + static_cast<double>(e % 8), model.at(1, e).mean, 1) << e;
    EXPECT_LT(model.at(1, e).deviation, model.at(2, e).deviation) << e;
  }
}

TEST(RateModel, ATestThatWasNeverSeenDoesNotSinkWithoutEnd) {
  RateModel model(2, {.rate = 1});
  for (std::size_t e = 0; e < 20; ++e) {
    model.observe(0, e, 1000, 1);
    model.observe(1, e, 0, 1);
  }
  for (int i = 0; i < 50; ++i) model.fit();
  // Half a kill in the 20 seconds that it had.
  EXPECT_NEAR(std::log(0.5 / 20), model.at(1, 99).mean, 1e-6);
}

TEST(RateModel, MoreTestsThanCanInformEachOther) {
  RateModel model(130, {.rate = 1});
  EXPECT_EQ(std::pair(std::size_t{0}, std::size_t{64}), model.kin(63));
  EXPECT_EQ(std::pair(std::size_t{128}, std::size_t{130}), model.kin(129));
  model.observe(129, 0, 5000, 1);
  model.fit();
  EXPECT_NEAR(std::log(5000), model.at(129, 0).mean, 0.05);
  EXPECT_NEAR(0, model.at(5, 0).mean, 1e-9);
}

}  // namespace
}  // namespace weakspot::stats

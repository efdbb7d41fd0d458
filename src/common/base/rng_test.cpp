// SPDX-License-Identifier: MIT
#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace weakspot::base {
namespace {

TEST(Rng, TheSameSeedGivesTheSameNumbers) {
  Rng a(7), b(7), c(8);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(Rng(7).next(), c.next());
}

// The stream is part of the contract: seeds in records must replay on every version.
TEST(Rng, TheStreamIsFixed) {
  Rng rng(1);
  EXPECT_EQ(rng.next(), 0xb3f2af6d0fc710c5u);
  EXPECT_EQ(rng.next(), 0x853b559647364ceau);
}

TEST(Rng, BetweenCoversTheRangeEvenly) {
  Rng rng(42);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts.at(static_cast<std::size_t>(rng.between(-3, 3) + 3));
  for (int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(rng.between(5, 5), 5);
  (void)rng.between(INT64_MIN, INT64_MAX);
}

TEST(Rng, UnitStaysBelowOne) {
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double value = rng.unit();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Rng, ShuffleKeepsTheItems) {
  Rng rng(9);
  std::vector<int> items = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int> shuffled = items;
  rng.shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace weakspot::base

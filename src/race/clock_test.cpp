// SPDX-License-Identifier: MIT
#include "race/clock.h"

#include <gtest/gtest.h>

namespace weakspot::race {
namespace {

ClockRef clock_of(ThreadName thread, Interval up_to) {
  auto clock = std::make_shared<Clock>();
  clock->know_thread(thread, up_to);
  return clock;
}

TEST(Clock, KnowsThreadsWarpsAndBlocks) {
  Clock clock;
  clock.know_thread({1, 40}, 9, 7, 5);
  EXPECT_TRUE(clock.knows({1, 40}, 9));
  EXPECT_FALSE(clock.knows({1, 40}, 10));
  EXPECT_TRUE(clock.knows({1, 41}, 6)) << "of its warp";
  EXPECT_FALSE(clock.knows({1, 41}, 7));
  EXPECT_TRUE(clock.knows({1, 0}, 4)) << "of its block";
  EXPECT_FALSE(clock.knows({1, 0}, 5));
  EXPECT_FALSE(clock.knows({0, 40}, 1)) << "of another block";
}

TEST(Clock, JoinedKnowsWhatBothKnow) {
  const ClockRef a = clock_of({0, 3}, 5), b = clock_of({0, 900}, 6), c = clock_of({7, 3}, 7);
  const ClockRef all = joined(joined(a, b), c);
  EXPECT_TRUE(all->knows({0, 3}, 5));
  EXPECT_TRUE(all->knows({0, 900}, 6));
  EXPECT_TRUE(all->knows({7, 3}, 7));
  EXPECT_FALSE(all->knows({0, 3}, 6));
  EXPECT_FALSE(a->knows({0, 900}, 1)) << "a clock that is shared does not change";
}

TEST(Clock, JoinedIsOneOfThemIfItKnowsAll) {
  const ClockRef less = clock_of({2, 3}, 5), more = clock_of({2, 3}, 8);
  EXPECT_EQ(joined(less, more), more);
  EXPECT_EQ(joined(more, less), more);
  EXPECT_EQ(joined(nullptr, less), less);
  EXPECT_EQ(joined(less, nullptr), less);
}

}  // namespace
}  // namespace weakspot::race

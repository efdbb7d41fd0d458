// SPDX-License-Identifier: MIT
#include "model/execution/mbarrier_states.h"

#include <gtest/gtest.h>

#include "model/execution/expand.h"

namespace weakspot::model {
namespace {

constexpr std::int64_t kStart = kMbarrierDone + 1;
constexpr std::int64_t kRefill = 1 + (std::int64_t{1} << kMbarrierPhase);
constexpr std::int64_t kByte = std::int64_t{1} << kMbarrierBytes;

TEST(MbarrierStates, AreSumsOfSomeChanges) {
  MbarrierChanges changes;
  changes.add(4 * kByte - 1, kRefill, 1);  // arrives and expects four bytes
  changes.add(-4 * kByte, kRefill, 1);     // they come
  const std::vector<std::int64_t> expected = {kStart - 4 * kByte, kStart, kStart + 4 * kByte - 1,
                                              kMbarrierDone + kRefill};
  EXPECT_EQ(expected, changes.states({kStart}));
}

TEST(MbarrierStates, HaveAPhaseForEachTime) {
  MbarrierChanges changes;
  changes.add(-1, kRefill, 1);
  changes.add(-1, kRefill, 2);
  const std::int64_t phase = std::int64_t{1} << kMbarrierPhase;
  const std::vector<std::int64_t> expected = {kStart, kStart + phase, kStart + 2 * phase, kStart + 3 * phase};
  EXPECT_EQ(expected, changes.states({kStart}));
}

TEST(MbarrierStates, DroppedArrivalsAreNotExpectedAgain) {
  MbarrierChanges changes;
  const std::int64_t dropped = std::int64_t{1} << kMbarrierDropped;
  const std::int64_t two = kMbarrierDone + 2;
  const std::int64_t refill = 2 + (std::int64_t{1} << kMbarrierPhase);
  changes.add(dropped - 1, refill, 1, true);
  changes.add(-1, refill, 1, true);
  const std::int64_t next = kMbarrierDone + 1 + (std::int64_t{1} << kMbarrierPhase) + dropped;
  EXPECT_EQ((std::vector<std::int64_t>{two - 1, two, two - 1 + dropped, next}), changes.states({two}));
}

TEST(MbarrierStates, MayBeTooMany) {
  MbarrierChanges changes;
  for (std::int64_t by = 1; by <= 10; ++by) changes.add(-by, kRefill, 1);
  EXPECT_EQ(std::nullopt, changes.states({kStart}));
}

}  // namespace
}  // namespace weakspot::model

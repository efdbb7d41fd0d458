// SPDX-License-Identifier: MIT
// Literal traces of launches beside each other, barriers at which threads arrive one by one, and what is kept of
// accesses that stronger ones follow.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "race/detector.h"

namespace weakspot::race::detector_order_test {
namespace {

constexpr std::uint64_t kBase = 4096;

class OrderTest : public testing::Test {
 protected:
  OrderTest() : cells(256), detector(Shadow(cells.data(), kBase, 1024), {}) {}

  // The next accesses are of this launch; gives its intervals when the next one starts.
  void launch(std::vector<IntervalRange> concurrent = {}, bool keep_history = true) {
    blocks.clear();
    detector.start_launch(std::move(concurrent), keep_history);
  }
  ThreadState& thread(std::uint32_t block, unsigned number) {
    auto [found, fresh] = blocks.try_emplace(block);
    if (fresh) detector.start_block(found->second, block, 64);
    return found->second.threads[number];
  }
  void access(std::uint32_t block, unsigned number, SiteId site, Access access) {
    access.address = kBase;
    access.site = site;
    detector.access(thread(block, number), access);
  }
  void write(std::uint32_t block, unsigned number, SiteId site) {
    access(block, number, site, {.kind = AccessKind::write, .space = Space::global});
  }
  void update(std::uint32_t block, unsigned number, SiteId site, Scope scope = Scope::device, unsigned size = 4,
              bool ignored = false) {
    Access strong{.size = size, .kind = AccessKind::update, .space = Space::global, .strong = true, .scope = scope};
    strong.ignored = ignored;
    access(block, number, site, strong);
  }
  // The first thread of the block; what it reads decides branches only.
  void volatile_access(std::uint32_t block, AccessKind kind, SiteId site) {
    Access strong{.kind = kind, .space = Space::global, .strong = true, .scope = Scope::volatile_access};
    strong.feeds_data = kind == AccessKind::write;
    access(block, 0, site, strong);
  }
  // A flag at another address than the data.
  void flag(std::uint32_t block, unsigned number, AccessKind kind, Scope scope = Scope::device) {
    const Access strong{
        .address = kBase + 64, .kind = kind, .space = Space::global, .site = 9, .strong = true, .scope = scope};
    detector.access(thread(block, number), strong);
  }
  void fence(std::uint32_t block, unsigned number, Scope scope) { detector.fence(thread(block, number), scope); }
  std::string races() const {
    static constexpr const char* kNames[] = {"E1", "E2", "P1", "P2", "W1", "W2", "W3"};
    std::string text;
    for (const Race& race : detector.races()) {
      text += text.empty() ? "" : " ";
      text += kNames[static_cast<std::size_t>(race.race_class)];
      text += ' ' + std::to_string(race.first.site) + '-' + std::to_string(race.second.site);
    }
    return text;
  }

  std::vector<Cell> cells;
  Detector detector;
  std::map<std::uint32_t, BlockState> blocks;
};

TEST_F(OrderTest, LaunchesAreOrdered) {
  launch();
  write(0, 0, 1);
  launch();
  write(0, 1, 2);
  EXPECT_EQ(races(), "");
}

TEST_F(OrderTest, UnlessTheyAreConcurrent) {
  launch();
  const Interval begin = detector.last_interval() + 1;
  write(0, 0, 1);
  const IntervalRange first{begin, detector.last_interval() + 1};
  launch({first});
  write(1, 0, 2);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(OrderTest, OnlyWithThoseThatAre) {
  launch();
  Interval begin = detector.last_interval() + 1;
  write(0, 0, 1);
  const IntervalRange first{begin, detector.last_interval() + 1};
  launch();  // after the first, and over for the third
  write(0, 1, 2);
  launch({first});
  write(1, 0, 3);
  EXPECT_EQ(races(), "");
}

// AMD's barriers: which of the two fences beside one are there.
class BareBarrierTest : public OrderTest {
 protected:
  std::string raced(bool release, bool acquire, FenceOrder before, FenceOrder behind) {
    detector.warps() = {64, true};
    launch();
    thread(0, 63);
    write(0, 0, 1);
    if (release) detector.fence(thread(0, 0), Scope::block, 7, before);
    detector.mixed_barrier(blocks.at(0), true);
    if (acquire) detector.fence(thread(0, 40), Scope::block, 8, behind);
    write(0, 40, 2);
    return races();
  }
};

TEST_F(BareBarrierTest, OrdersNothing) { EXPECT_EQ(raced(false, false, {}, {}), "E2 1-2"); }
TEST_F(BareBarrierTest, NotWithARelease) { EXPECT_EQ(raced(true, false, FenceOrder::release, {}), "E2 1-2"); }
TEST_F(BareBarrierTest, NotWithAnAcquire) { EXPECT_EQ(raced(false, true, {}, FenceOrder::acquire), "E2 1-2"); }
TEST_F(BareBarrierTest, OrdersWithBoth) { EXPECT_EQ(raced(true, true, FenceOrder::release, FenceOrder::acquire), ""); }
TEST_F(BareBarrierTest, NotIfTheHalvesAreTheWrongOnes) {
  EXPECT_EQ(raced(true, true, FenceOrder::acquire, FenceOrder::release), "E2 1-2");
}
TEST_F(BareBarrierTest, SaysThatThereWasOne) {
  raced(false, false, {}, {});
  EXPECT_TRUE(detector.races().front().at_bare_barrier);
  EXPECT_TRUE(detector.races().front().amd);
}

// AMD's fences for one address space: which accesses they order.
class PartFenceTest : public OrderTest {
 protected:
  PartFenceTest() { detector.warps() = {64, true}; }
  void write_to(Space space, std::uint32_t block, unsigned number, SiteId site) {
    access(block, number, site, {.kind = AccessKind::write, .space = space});
  }
  void fence(std::uint32_t block, unsigned number, FenceOrder order, std::optional<Space> space,
             Scope scope = Scope::block) {
    detector.fence(thread(block, number), scope, 7, order, space);
  }
  // Two threads write, with a barrier between fences between them.
  std::string raced(Space space, std::optional<Space> before, std::optional<Space> behind) {
    launch();
    thread(0, 63);
    write_to(space, 0, 0, 1);
    fence(0, 0, FenceOrder::release, before);
    detector.mixed_barrier(blocks.at(0), true);
    fence(0, 40, FenceOrder::acquire, behind);
    write_to(space, 0, 40, 2);
    return races();
  }
  // The same with a flag, in two blocks or in one.
  std::string flagged(Space space, std::uint32_t other, std::optional<Space> fenced) {
    launch();
    write_to(space, 0, 0, 1);
    fence(0, 0, FenceOrder::release, fenced, Scope::device);
    flag(0, 0, AccessKind::write);
    flag(other, 40, AccessKind::read);
    fence(other, 40, FenceOrder::acquire, fenced, Scope::device);
    write_to(space, other, 40, 2);
    return races();
  }
};

TEST_F(PartFenceTest, OrdersAccessesToItsSpace) {
  EXPECT_EQ(raced(Space::shared, Space::shared, Space::shared), "");
  EXPECT_EQ(raced(Space::global, Space::global, Space::global), "");
}
TEST_F(PartFenceTest, GoesWithAFenceForAllMemory) {
  EXPECT_EQ(raced(Space::shared, Space::shared, std::nullopt), "");
  EXPECT_EQ(raced(Space::shared, std::nullopt, Space::shared), "");
}
TEST_F(PartFenceTest, OrdersNoOthers) {
  EXPECT_EQ(raced(Space::global, Space::shared, Space::shared), "E2 1-2");
  EXPECT_TRUE(detector.races().front().fenced_elsewhere);
}
TEST_F(PartFenceTest, NorIfOneOfTwoIsForAllMemory) {
  EXPECT_EQ(raced(Space::global, Space::shared, std::nullopt), "E2 1-2");
  EXPECT_EQ(raced(Space::global, std::nullopt, Space::shared), "E2 1-2");
}
TEST_F(PartFenceTest, DoesNotMeetOneForTheOther) {
  EXPECT_EQ(raced(Space::shared, Space::shared, Space::global), "E2 1-2");
}
TEST_F(PartFenceTest, ReachesOtherBlocksByAFlag) {
  EXPECT_EQ(flagged(Space::global, 1, Space::global), "");
  EXPECT_EQ(flagged(Space::global, 1, Space::shared), "E1 1-2");
}
TEST_F(PartFenceTest, ReachesOtherThreadsByAFlag) {
  EXPECT_EQ(flagged(Space::shared, 0, Space::shared), "");
  EXPECT_EQ(flagged(Space::shared, 0, Space::global), "E2 1-2");
}
TEST_F(PartFenceTest, IsPassedOnByOthers) {
  launch();
  write_to(Space::shared, 0, 0, 1);
  fence(0, 0, FenceOrder::release, Space::shared);
  flag(0, 0, AccessKind::update);
  flag(0, 1, AccessKind::update);
  fence(0, 1, FenceOrder::acq_rel, Space::shared);
  fence(0, 1, FenceOrder::acq_rel, std::nullopt);
  flag(0, 1, AccessKind::write);
  flag(0, 40, AccessKind::read);
  fence(0, 40, FenceOrder::acquire, std::nullopt);
  write_to(Space::shared, 0, 40, 2);
  EXPECT_EQ(races(), "");
}
TEST_F(PartFenceTest, IsPassedOnByBarriers) {
  launch();
  write_to(Space::global, 0, 0, 1);
  fence(0, 0, FenceOrder::release, Space::global, Scope::device);
  flag(0, 0, AccessKind::write);
  flag(1, 0, AccessKind::read);
  fence(1, 0, FenceOrder::acquire, Space::global, Scope::device);
  detector.barrier(blocks.at(1), 8);
  write_to(Space::global, 1, 40, 2);
  EXPECT_EQ(races(), "");
}

TEST_F(OrderTest, ArrivalsAreLearntByThoseWhoWait) {
  launch();
  write(0, 0, 1);
  const ClockRef arrived = detector.publish(thread(0, 0));
  detector.learn(thread(0, 32), arrived);
  write(0, 32, 2);
  EXPECT_EQ(races(), "");
}

TEST_F(OrderTest, WhatFollowsAnArrivalIsNot) {
  launch();
  const ClockRef arrived = detector.publish(thread(0, 0));
  write(0, 0, 1);
  detector.learn(thread(0, 32), arrived);
  write(0, 32, 2);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(OrderTest, APlainWriteOutlastsAtomicsThatNothingOrders) {
  launch();
  write(0, 0, 1);
  update(0, 0, 2);   // the same thread
  update(0, 1, 2);   // another thread of its warp
  update(0, 32, 2);  // a thread of another warp
  EXPECT_EQ(races(), "E2 1-2 E1 1-2");
}

TEST_F(OrderTest, AnAtomicOfABlockOutlastsThoseOfTheDevice) {
  launch();
  update(0, 0, 1, Scope::block);
  update(1, 1, 2);
  update(1, 0, 1, Scope::block);
  EXPECT_EQ(races(), "E1 1-2 E1 1-1");
}

TEST_F(OrderTest, AtomicsOfDifferentWidthsAreNoneForEachOther) {
  launch();
  update(0, 0, 1, Scope::device, 8);
  update(0, 32, 1, Scope::device, 8);
  EXPECT_EQ(races(), "");
  update(0, 1, 2);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(OrderTest, ABarrierBetweenIgnoredAtomicsIsNotNeeded) {
  launch();
  update(0, 0, 1, Scope::device, 4, true);
  detector.barrier(blocks.at(0), 9);
  update(0, 32, 1, Scope::device, 4, true);
  EXPECT_FALSE(detector.barrier_needed(9));
  detector.barrier(blocks.at(0), 8);
  update(0, 0, 2);
  EXPECT_TRUE(detector.barrier_needed(8));
}

TEST_F(OrderTest, NorOneAfterTheWarpHasMet) {
  launch();
  write(0, 0, 1);
  std::vector<unsigned> warp(32);
  for (unsigned i = 0; i < 32; ++i) warp[i] = i;
  detector.warp_barrier(blocks.at(0), warp);
  detector.barrier(blocks.at(0), 9);
  write(0, 1, 2);
  EXPECT_FALSE(detector.barrier_needed(9));
  detector.barrier(blocks.at(0), 9);
  write(0, 32, 3);
  EXPECT_TRUE(detector.barrier_needed(9));
}

// Three blocks: the first releases, the second only counts up, the third acquires what the second wrote.
TEST_F(OrderTest, AnUpdateAfterANarrowFenceCarriesOnAWideRelease) {
  launch();
  write(0, 0, 1);
  fence(0, 0, Scope::device);
  flag(0, 0, AccessKind::write);
  fence(1, 0, Scope::block);
  flag(1, 0, AccessKind::update);
  flag(2, 0, AccessKind::read);
  fence(2, 0, Scope::device);
  write(2, 0, 2);
  EXPECT_EQ(races(), "");
}

TEST_F(OrderTest, AnUpdateAfterAWideFenceDoesNotWidenANarrowRelease) {
  launch();
  write(0, 0, 1);
  fence(0, 0, Scope::block);
  flag(0, 0, AccessKind::write);
  fence(1, 0, Scope::device);
  flag(1, 0, AccessKind::update);
  flag(2, 0, AccessKind::read);
  fence(2, 0, Scope::device);
  write(2, 0, 2);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(OrderTest, ANarrowFenceAfterAWideOneTakesNothingBack) {
  launch();
  write(0, 0, 1);
  fence(0, 0, Scope::device);
  fence(0, 0, Scope::block);
  flag(0, 0, AccessKind::write);
  flag(1, 0, AccessKind::read);
  fence(1, 0, Scope::device);
  write(1, 0, 2);
  EXPECT_EQ(races(), "");
}

TEST_F(OrderTest, ANarrowFenceDoesNotAcquireFromAnotherBlock) {
  launch();
  write(0, 0, 1);
  fence(0, 0, Scope::device);
  flag(0, 0, AccessKind::write);
  flag(0, 32, AccessKind::read);
  fence(0, 32, Scope::block);
  write(0, 32, 2);
  EXPECT_EQ(races(), "");
  flag(1, 0, AccessKind::read);
  fence(1, 0, Scope::block);
  write(1, 0, 3);
  EXPECT_EQ(races(), "E1 2-3");
}

TEST_F(OrderTest, AnUpdateThatIsNotMorallyStrongCarriesOnNothing) {
  launch();
  write(0, 0, 1);
  fence(0, 0, Scope::device);
  flag(0, 0, AccessKind::write);
  flag(1, 0, AccessKind::update, Scope::block);  // races with the write
  flag(1, 32, AccessKind::read);
  fence(1, 32, Scope::device);
  write(1, 32, 2);
  EXPECT_EQ(races(), "E1 9-9 E1 1-2");
}

TEST_F(OrderTest, LockStepDoesNotOrderTheSidesOfABranch) {
  detector.add_branch_sides([](SiteId a, SiteId b) { return a + b == 3; });
  launch();
  write(0, 0, 1);
  write(0, 1, 2);
  EXPECT_EQ(races(), "E1 1-2");
  write(0, 2, 4);
  EXPECT_EQ(races(), "E1 1-2 E2 2-4");
}

TEST_F(OrderTest, EachModuleTellsTheSidesOfItsBranches) {
  detector.add_branch_sides([](SiteId a, SiteId b) { return a + b == 3; });
  detector.add_branch_sides([](SiteId a, SiteId b) { return a + b == 13; });
  launch();
  write(0, 0, 1);
  write(0, 1, 2);
  launch();
  write(0, 0, 6);
  write(0, 1, 7);
  EXPECT_EQ(races(), "E1 1-2 E1 6-7");
}

TEST_F(OrderTest, AVolatileStoreComesAfterWhatItsThreadHasRead) {
  launch();
  volatile_access(0, AccessKind::write, 1);
  volatile_access(1, AccessKind::read, 2);
  volatile_access(1, AccessKind::write, 3);
  EXPECT_EQ(races(), "");
  volatile_access(2, AccessKind::write, 4);
  EXPECT_EQ(races(), "W3 3-4");
}

TEST_F(OrderTest, AVolatileStoreMayComeAfterAReadThatIsForgotten) {
  launch();
  volatile_access(0, AccessKind::write, 1);
  for (std::uint32_t reader = 1; reader < 5; ++reader) volatile_access(reader, AccessKind::read, 2);
  volatile_access(1, AccessKind::write, 3);
  EXPECT_EQ(races(), "");
}

}  // namespace
}  // namespace weakspot::race::detector_order_test

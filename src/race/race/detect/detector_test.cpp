// SPDX-License-Identifier: MIT
// Literal traces: who accessed what where, in the order of one schedule, and which pairs of sites race.
#include "race/detector.h"

#include <gtest/gtest.h>

#include <string>

namespace weakspot::race::detector_test {
namespace {

constexpr std::uint64_t kBase = 4096;

// A device of 1024 bytes on which the test plays all threads.
class Trace {
 public:
  explicit Trace(DetectorOptions options = {}) : cells_(256), detector_(Shadow(cells_.data(), kBase, 1024), options) {
    detector_.start_launch();
  }

  void start(std::uint32_t block, unsigned threads) {
    detector_.start_block(blocks_.try_emplace(block).first->second, block, threads);
  }
  void launch() {
    detector_.start_launch();
    blocks_.clear();
  }

  void access(std::uint32_t block, unsigned thread, Access access, std::uint64_t offset) {
    access.address = kBase + offset;
    detector_.access(blocks_.at(block).threads[thread], access);
  }
  void read(std::uint32_t block, unsigned thread, std::uint64_t offset, SiteId site, unsigned size = 4,
            Space space = Space::shared) {
    access(block, thread, {.size = size, .kind = AccessKind::read, .space = space, .site = site}, offset);
  }
  void write(std::uint32_t block, unsigned thread, std::uint64_t offset, SiteId site, unsigned size = 4,
             Space space = Space::shared) {
    access(block, thread, {.size = size, .kind = AccessKind::write, .space = space, .site = site}, offset);
  }
  void update(std::uint32_t block, unsigned thread, std::uint64_t offset, SiteId site, Scope scope = Scope::device) {
    access(block, thread,
           {.kind = AccessKind::update, .space = Space::global, .site = site, .strong = true, .scope = scope}, offset);
  }
  void barrier(std::uint32_t block, SiteId site) { detector_.barrier(blocks_.at(block), site); }
  void warp(std::uint32_t block, const std::vector<unsigned>& threads) {
    detector_.warp_barrier(blocks_.at(block), threads);
  }
  void fence(std::uint32_t block, unsigned thread, Scope scope = Scope::device) {
    detector_.fence(blocks_.at(block).threads[thread], scope);
  }

  // "E1 1-2 E2 3-4": class and sites of each race, in the order found.
  std::string races() const {
    static constexpr const char* kNames[] = {"E1", "E2", "P1", "P2", "W1", "W2", "W3"};
    std::string text;
    for (const Race& race : detector_.races()) {
      if (!text.empty()) text += ' ';
      text += kNames[static_cast<std::size_t>(race.race_class)];
      text += ' ' + std::to_string(race.first.site) + '-' + std::to_string(race.second.site);
    }
    return text;
  }
  const Detector& detector() const { return detector_; }

 private:
  std::vector<Cell> cells_;
  Detector detector_;
  std::map<std::uint32_t, BlockState> blocks_;
};

TEST(Detector, SeesWriteThenReadByAnotherWarp) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  trace.read(0, 32, 0, 2);
  EXPECT_EQ(trace.races(), "E1 1-2");
}

TEST(Detector, SeesReadThenWrite) {
  Trace trace;
  trace.start(0, 64);
  trace.read(0, 0, 0, 1);
  trace.write(0, 32, 0, 2);
  EXPECT_EQ(trace.races(), "E1 1-2");
}

TEST(Detector, ABarrierOrdersItsBlock) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  trace.barrier(0, 9);
  trace.read(0, 32, 0, 2);
  EXPECT_EQ(trace.races(), "");
}

TEST(Detector, AThreadIsOrderedWithItself) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 5, 0, 1);
  trace.read(0, 5, 0, 2);
  trace.write(0, 5, 0, 3);
  EXPECT_EQ(trace.races(), "");
}

TEST(Detector, TheThirdReaderHidesNothing) {
  Trace trace;
  trace.start(0, 96);
  trace.read(0, 0, 0, 1);
  trace.read(0, 32, 0, 2);
  trace.read(0, 64, 0, 3);
  trace.write(0, 64, 0, 4);
  EXPECT_EQ(trace.races(), "E1 2-4");
}

TEST(Detector, LanesOfAWarpRaceUnlessTheySynchronise) {
  Trace trace;
  trace.start(0, 32);
  trace.write(0, 0, 0, 1);
  trace.read(0, 1, 0, 2);
  EXPECT_EQ(trace.races(), "E2 1-2");

  Trace synchronised;
  synchronised.start(0, 32);
  std::vector<unsigned> all(32);
  for (unsigned i = 0; i < 32; ++i) all[i] = i;
  synchronised.write(0, 0, 0, 1);
  synchronised.warp(0, all);
  synchronised.read(0, 1, 0, 2);
  EXPECT_EQ(synchronised.races(), "");
}

TEST(Detector, APartialMaskOrdersItsLanesAlone) {
  Trace trace;
  trace.start(0, 32);
  trace.write(0, 0, 0, 1);
  trace.warp(0, {0, 1});
  trace.read(0, 1, 0, 2);
  trace.read(0, 2, 0, 3);
  EXPECT_EQ(trace.races(), "E2 1-3");
}

TEST(Detector, LockStepOrdersDifferentInstructionsOfAWarp) {
  Trace trace(DetectorOptions{.lockstep = true});
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  trace.read(0, 1, 0, 2);
  trace.read(0, 32, 0, 2);
  EXPECT_EQ(trace.races(), "E1 1-2");
  EXPECT_EQ(trace.detector().conflicts(), 1u);
}

TEST(Detector, TheSameInstructionOfAWarpRacesInLockStepToo) {
  Trace trace(DetectorOptions{.lockstep = true});
  trace.start(0, 32);
  trace.write(0, 0, 0, 1);
  trace.write(0, 1, 0, 1);
  EXPECT_EQ(trace.races(), "E1 1-1");
}

TEST(Detector, TheSameValueIsAWarning) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  trace.access(0, 32, {.kind = AccessKind::write, .space = Space::shared, .site = 1, .same_value = true}, 0);
  EXPECT_EQ(trace.races(), "W1 1-1");
}

TEST(Detector, NeighbouringBytesDoNotMeet) {
  Trace trace;
  trace.start(0, 128);
  for (unsigned i = 0; i < 4; ++i) trace.write(0, 32 * i, i, 1, 1);
  EXPECT_EQ(trace.races(), "");
  trace.read(0, 0, 0, 2, 4);
  EXPECT_EQ(trace.races(), "E1 1-2");
  EXPECT_EQ(trace.detector().conflicts(), 3u);
}

TEST(Detector, AWideAccessMeetsEachWord) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1, 16);
  trace.read(0, 32, 12, 2);
  EXPECT_EQ(trace.races(), "E1 1-2");
}

TEST(Detector, NoBarrierOrdersBlocks) {
  Trace trace;
  trace.start(0, 32);
  trace.write(0, 0, 0, 1, 4, Space::global);
  trace.barrier(0, 9);
  trace.start(1, 32);
  trace.barrier(1, 9);
  trace.read(1, 0, 0, 2, 4, Space::global);
  EXPECT_EQ(trace.races(), "E1 1-2");
}

TEST(Detector, BlocksShareNoSharedMemory) {
  Trace trace;
  trace.start(0, 32);
  trace.write(0, 0, 0, 1);
  trace.start(1, 32);
  trace.write(1, 0, 0, 1);
  EXPECT_EQ(trace.races(), "");
}

TEST(Detector, ALaunchOrdersEverything) {
  Trace trace;
  trace.start(0, 32);
  trace.write(0, 0, 0, 1, 4, Space::global);
  trace.launch();
  trace.start(0, 32);
  trace.write(0, 7, 0, 2, 4, Space::global);
  EXPECT_EQ(trace.races(), "");
}

TEST(Detector, AtomicsDoNotRaceWithEachOther) {
  Trace trace;
  trace.start(0, 64);
  trace.update(0, 0, 0, 1);
  trace.update(0, 32, 0, 1);
  EXPECT_EQ(trace.races(), "");
  trace.read(0, 1, 0, 2, 4, Space::global);
  EXPECT_EQ(trace.races(), "E1 1-2");
}

TEST(Detector, AtomicsOfTooSmallAScopeRace) {
  Trace trace;
  trace.start(0, 32);
  trace.update(0, 0, 0, 1, Scope::block);
  trace.start(1, 32);
  trace.update(1, 0, 0, 1, Scope::block);
  EXPECT_EQ(trace.races(), "E1 1-1");
}

// Message passing: data at 0, flag at 8.
struct MessageCase {
  const char* name;
  bool fence_before, fence_after;
  Scope scope;
  const char* races;
};

TEST(Detector, FencesAroundAFlagOrderTheData) {
  const MessageCase cases[] = {
      {"both fences", true, true, Scope::device, ""},
      {"no release", false, true, Scope::device, "E1 1-4"},
      {"no acquire", true, false, Scope::device, "E1 1-4"},
      {"the fence reaches the block alone", true, true, Scope::block, "E1 1-4"},
  };
  for (const MessageCase& test : cases) {
    Trace trace;
    trace.start(0, 32);
    trace.start(1, 32);
    trace.write(0, 0, 0, 1, 4, Space::global);
    if (test.fence_before) trace.fence(0, 0, test.scope);
    trace.update(0, 0, 8, 2);
    trace.update(1, 0, 8, 3);
    if (test.fence_after) trace.fence(1, 0, test.scope);
    trace.read(1, 0, 0, 4, 4, Space::global);
    EXPECT_EQ(trace.races(), test.races) << test.name;
  }
}

TEST(Detector, SaysThatTheAcquireIsMissing) {
  Trace trace;
  trace.start(0, 32);
  trace.start(1, 32);
  trace.write(0, 0, 0, 1, 4, Space::global);
  trace.fence(0, 0);
  trace.update(0, 0, 8, 2);
  trace.update(1, 0, 8, 3);
  trace.read(1, 0, 0, 4, 4, Space::global);
  ASSERT_EQ(trace.detector().races().size(), 1u);
  EXPECT_TRUE(trace.detector().races()[0].missing_acquire);
}

TEST(Detector, ABarrierBeforeTheReleaseIsReleasedToo) {
  Trace trace;
  trace.start(0, 64);
  trace.start(1, 64);
  trace.write(0, 40, 0, 1, 4, Space::global);
  trace.barrier(0, 9);
  trace.fence(0, 0);
  trace.update(0, 0, 8, 2);
  trace.update(1, 0, 8, 3);
  trace.fence(1, 0);
  trace.barrier(1, 9);
  trace.read(1, 50, 0, 4, 4, Space::global);
  EXPECT_EQ(trace.races(), "");
}

TEST(Detector, OnlyBarriersBetweenAConflictAreNeeded) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  trace.barrier(0, 8);
  trace.read(0, 32, 0, 2);
  trace.barrier(0, 9);
  trace.read(0, 32, 0, 2);
  EXPECT_TRUE(trace.detector().barrier_needed(8));
  EXPECT_FALSE(trace.detector().barrier_needed(9));
}

TEST(Detector, OfTwoBarriersInARowNeitherAloneIsNeeded) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  trace.barrier(0, 8);
  trace.barrier(0, 9);
  trace.read(0, 32, 0, 2);
  EXPECT_FALSE(trace.detector().barrier_needed(8));
  EXPECT_FALSE(trace.detector().barrier_needed(9));
}

TEST(Detector, ALoopBarrierIsNeededAcrossIterations) {
  Trace trace;
  trace.start(0, 64);
  trace.write(0, 0, 0, 1);
  for (int i = 0; i < 3; ++i) trace.barrier(0, 8);
  trace.read(0, 32, 0, 2);
  EXPECT_TRUE(trace.detector().barrier_needed(8));
}

}  // namespace
}  // namespace weakspot::race::detector_test

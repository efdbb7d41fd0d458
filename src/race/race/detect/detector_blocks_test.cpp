// SPDX-License-Identifier: MIT
// Literal traces of blocks that meet: clusters and what they share.
#include <gtest/gtest.h>

#include <string>

#include "race/detector.h"

namespace weakspot::race::detector_blocks_test {
namespace {

constexpr std::uint64_t kBase = 4096;

// Blocks 0 and 1 are a cluster, block 2 is alone.
class BlocksTest : public testing::Test {
 protected:
  BlocksTest() : cells(256), detector(Shadow(cells.data(), kBase, 1024), {}) {
    detector.start_launch();
    for (std::uint32_t i = 0; i < 3; ++i) detector.start_block(blocks[i], i, 64);
    detector.join_blocks(cluster);
  }

  void access(std::uint32_t block, unsigned thread, SiteId site, Space space, AccessKind kind) {
    detector.access(blocks[block].threads[thread], {.address = kBase, .kind = kind, .space = space, .site = site});
  }
  void write(std::uint32_t block, unsigned thread, SiteId site, Space space = Space::shared) {
    access(block, thread, site, space, AccessKind::write);
  }
  void read(std::uint32_t block, unsigned thread, SiteId site, Space space = Space::shared) {
    access(block, thread, site, space, AccessKind::read);
  }
  std::string races() const {
    std::string text;
    for (const Race& race : detector.races()) {
      text += (text.empty() ? "" : " ") + std::to_string(race.first.site) + '-' + std::to_string(race.second.site);
    }
    return text;
  }

  std::vector<Cell> cells;
  Detector detector;
  BlockState blocks[3];
  const std::vector<BlockState*> cluster{&blocks[0], &blocks[1]};
};

TEST_F(BlocksTest, SharedMemoryIsThatOfTheCluster) {
  write(0, 0, 1);
  read(1, 0, 2);
  EXPECT_EQ(races(), "1-2");
}

TEST_F(BlocksTest, ABarrierOfABlockOrdersNothingOfTheOther) {
  write(0, 0, 1);
  detector.barrier(blocks[0], 7);
  detector.barrier(blocks[1], 7);
  read(1, 5, 2);
  EXPECT_EQ(races(), "1-2");
}

TEST_F(BlocksTest, OneOfTheClusterDoesInEverySpace) {
  write(0, 0, 1);
  detector.blocks_barrier(cluster);
  write(1, 3, 2, Space::global);
  detector.blocks_barrier(cluster);
  read(0, 5, 3);
  EXPECT_EQ(races(), "");
}

TEST_F(BlocksTest, ButNotForThoseOutside) {
  write(0, 0, 1, Space::global);
  detector.blocks_barrier(cluster);
  read(2, 0, 2, Space::global);
  EXPECT_EQ(races(), "1-2");
}

TEST_F(BlocksTest, NorForWhatComesAfterIt) {
  detector.blocks_barrier(cluster);
  write(0, 0, 1);
  read(1, 0, 2);
  EXPECT_EQ(races(), "1-2");
}

TEST_F(BlocksTest, WhatItOrdersNeedsNoBarrierOfABlock) {
  write(0, 0, 1);
  detector.barrier(blocks[0], 7);
  detector.blocks_barrier(cluster);
  detector.barrier(blocks[1], 8);
  read(1, 0, 2);
  write(0, 40, 3);
  EXPECT_EQ(races(), "2-3");
  EXPECT_FALSE(detector.barrier_needed(7));
  EXPECT_FALSE(detector.barrier_needed(8));
}

TEST_F(BlocksTest, WhoArrivesInTwoStepsTellsWhatLiesBeforeTheFirst) {
  Gathering gathering;
  write(0, 0, 1);
  for (BlockState* block : cluster) {
    for (ThreadState& thread : block->threads) detector.arrive(thread, gathering);
  }
  write(0, 1, 2, Space::global);
  for (BlockState* block : cluster) {
    for (ThreadState& thread : block->threads) detector.leave(thread, gathering);
  }
  EXPECT_EQ(races(), "1-2");  // two threads of one block, in the same phase
  read(1, 40, 3);
  EXPECT_EQ(races(), "1-2 2-3");
}

TEST_F(BlocksTest, KnowledgeOfEarlierPhasesIsKept) {
  for (int phase = 0; phase < 3; ++phase) {
    if (phase == 0) write(0, 0, 1);
    Gathering gathering;
    for (BlockState* block : cluster) {
      for (ThreadState& thread : block->threads) detector.arrive(thread, gathering);
    }
    for (BlockState* block : cluster) {
      for (ThreadState& thread : block->threads) detector.leave(thread, gathering);
    }
  }
  write(1, 40, 2);
  EXPECT_EQ(races(), "");
}

TEST(Intervals, AreSpentAtTheirLimitAndGoOnBehindIt) {
  Intervals intervals(3);
  EXPECT_EQ(intervals.next(0), 1u);
  EXPECT_EQ(intervals.next(0), 2u);
  EXPECT_FALSE(intervals.are_spent());
  EXPECT_EQ(intervals.next(1), 3u);
  EXPECT_TRUE(intervals.are_spent());
  EXPECT_EQ(intervals.next(0), 4u);
  EXPECT_EQ(intervals.block_of(3), 1u);
}

}  // namespace
}  // namespace weakspot::race::detector_blocks_test

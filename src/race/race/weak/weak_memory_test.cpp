// SPDX-License-Identifier: MIT
// Literal sequences of stores and reads: which older values remain, for how long, and what ends a history.
#include "race/weak_memory.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "race/detector.h"

namespace weakspot::race::weak_memory_test {
namespace {

constexpr std::uint64_t kBase = 4096;

class WeakMemoryTest : public testing::Test {
 protected:
  WeakMemoryTest() : cells(256), detector(Shadow(cells.data(), kBase, 1024), {}) {
    weak.set_choices({.seed = 1, .percent = 100, .only = std::nullopt});
    detector.set_weak(&weak);
    detector.start_launch();
  }

  ThreadState& thread(std::uint32_t block, unsigned number = 0) {
    auto [found, fresh] = blocks.try_emplace(block);
    if (fresh) detector.start_block(found->second, block, 64);
    return found->second.threads[number];
  }
  static Access strong(AccessKind kind, std::uint64_t offset, unsigned size, SiteId site) {
    return {.address = kBase + offset, .size = size, .kind = kind, .site = site, .strong = true};
  }
  void store(std::uint32_t block, std::uint64_t offset, std::uint64_t value, SiteId site = 1, unsigned size = 4) {
    const Access access = strong(AccessKind::write, offset, size, site);
    detector.begin_weak(thread(block), access, memory[offset]);
    detector.access(thread(block), access);
    memory[offset] = value;
    weak.stored(access.address, value);
  }
  void plain_store(std::uint32_t block, std::uint64_t offset, std::uint64_t value) {
    detector.access(thread(block), {.address = kBase + offset, .kind = AccessKind::write, .site = 2});
    memory[offset] = value;
  }
  std::uint64_t load(std::uint32_t block, std::uint64_t offset, bool acquire = false, unsigned size = 4,
                     unsigned number = 0) {
    Access access = strong(AccessKind::read, offset, size, 3);
    access.acquire = acquire;
    const std::optional<std::uint64_t> older = detector.begin_weak(thread(block, number), access, memory[offset]);
    detector.access(thread(block, number), access);
    return older.value_or(memory[offset]);
  }

  std::vector<Cell> cells;
  WeakMemory weak;
  Detector detector;
  std::map<std::uint32_t, BlockState> blocks;
  std::map<std::uint64_t, std::uint64_t> memory;
};

TEST_F(WeakMemoryTest, AReaderSeesAnOldValueForAWhileAndNeverGoesBack) {
  store(0, 0, 5);
  int old = 0;
  while (old < 100 && load(1, 0) == 0) ++old;
  EXPECT_EQ(old, 8);  // then it must see the newest
  EXPECT_EQ(weak.stale_reads().size(), 8u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(load(1, 0), 5u);
  EXPECT_EQ(load(0, 0), 5u);  // its own store
}

TEST_F(WeakMemoryTest, SaysWhichStoreWasReadAndWhichHadOverwrittenIt) {
  store(0, 0, 5, 10);
  store(0, 0, 6, 11);
  store(0, 8, 1, 12);
  weak.set_choices({.seed = 1, .percent = 0, .only = std::nullopt});
  EXPECT_EQ(load(1, 8), 1u);
  weak.set_choices({.seed = 1, .percent = 100, .only = std::nullopt});
  const std::uint64_t got = load(1, 0);
  ASSERT_EQ(weak.stale_reads().size(), 1u);
  const StaleRead& stale = weak.stale_reads()[0];
  EXPECT_EQ(stale.value, got);
  EXPECT_EQ(stale.newest, 6u);
  EXPECT_EQ(stale.from.has_value(), got == 5);
  EXPECT_EQ(stale.by.site, got == 5 ? 11 : 10);
  // The flag was stored after both and has been read.
  EXPECT_EQ(stale.remedy.kind, Remedy::Kind::release_acquire);
  EXPECT_EQ(stale.remedy.store, 12);
  EXPECT_EQ(stale.remedy.load, 3);
}

TEST_F(WeakMemoryTest, OnlyTheNamedReadsChoose) {
  auto run = [&](const std::optional<std::set<ReadName>>& only) {
    weak.set_choices({.seed = 7, .percent = 100, .only = only});
    blocks.clear();
    memory.clear();
    detector.start_launch();
    store(0, 0, 1);
    std::vector<std::uint64_t> values;
    for (int i = 0; i < 3; ++i) values.push_back(load(1, 0));
    return values;
  };
  EXPECT_EQ(run(std::nullopt), (std::vector<std::uint64_t>{0, 0, 0}));
  EXPECT_EQ(run(std::set<ReadName>{}), (std::vector<std::uint64_t>{1, 1, 1}));
  EXPECT_EQ(run(std::set<ReadName>{{{1, 0}, 0}}), (std::vector<std::uint64_t>{0, 1, 1}));
  EXPECT_EQ(run(std::set<ReadName>{{{1, 0}, 1}}), (std::vector<std::uint64_t>{1, 1, 1}));  // it has seen the newest
}

TEST_F(WeakMemoryTest, PlainStoresAndOtherSizesEndAHistory) {
  store(0, 0, 5);
  plain_store(0, 0, 6);
  EXPECT_EQ(load(1, 0), 6u);
  store(0, 16, 5);
  EXPECT_EQ(load(1, 16, false, 8), 5u);
  EXPECT_EQ(load(1, 16), 5u);
  // A plain store that the detector was not told of.
  store(0, 32, 5);
  memory[32] = 9;
  EXPECT_EQ(load(1, 32), 9u);
}

TEST_F(WeakMemoryTest, ABarrierHidesOldValuesFromTheBlockAlone) {
  thread(1);
  store(0, 0, 5);
  detector.barrier(blocks.at(0), 9);
  EXPECT_EQ(load(0, 0, false, 4, 1), 5u);
  EXPECT_EQ(load(1, 0), 0u);
}

TEST_F(WeakMemoryTest, SharedMemoryOfAnEndedBlockIsForgotten) {
  auto access = [&](std::uint32_t block, AccessKind kind) {
    Access shared = strong(kind, 0, 4, 1);
    shared.space = Space::shared;
    shared.scope = Scope::block;
    const std::optional<std::uint64_t> older =
        detector.begin_weak(thread(block, kind == AccessKind::read ? 1 : 0), shared, memory[0]);
    detector.access(thread(block, kind == AccessKind::read ? 1 : 0), shared);
    return older;
  };
  access(0, AccessKind::write);
  memory[0] = 3;
  weak.stored(kBase, 3);
  EXPECT_EQ(access(0, AccessKind::read), 0u);
  EXPECT_EQ(access(1, AccessKind::read), std::nullopt);
}

TEST_F(WeakMemoryTest, ManyReadersAndStoresAreBounded) {
  for (std::uint64_t i = 1; i <= 100; ++i) store(0, 0, i);
  EXPECT_EQ(load(1, 0), 93u);  // the oldest of eight, or a later one by the seed's choice
  weak.set_choices({.seed = 1, .percent = 0, .only = std::nullopt});
  for (unsigned i = 0; i < 40; ++i) load(2, 0, false, 4, i);
  weak.set_choices({.seed = 1, .percent = 100, .only = std::nullopt});
  EXPECT_EQ(load(3, 0), 100u);  // so many have read it that all count as if they had
}

}  // namespace
}  // namespace weakspot::race::weak_memory_test

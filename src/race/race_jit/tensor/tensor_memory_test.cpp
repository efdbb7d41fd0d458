// SPDX-License-Identifier: MIT
#include "race_jit/tensor/tensor_memory.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace weakspot::race_jit::tensor_memory_test {
namespace {

using race::TensorGap;

// A thread or agent of block 1, and a clock that knows its steps so far.
TensorStep step(std::uint32_t thread, race::Interval at) { return {{1, thread}, at}; }
race::ClockRef knowing(const TensorStep& known) {
  auto clock = std::make_shared<race::Clock>();
  clock->know_thread(known.thread, known.at);
  return clock;
}

TensorOperation of_warp(TensorAct act, std::uint32_t warp, bool waited = false) {
  TensorOperation made{.act = act, .issuer = {1, warp * 32}, .issued = step(warp * 32, 6)};
  if (waited) made.waited = std::make_shared<TensorSteps>(TensorSteps{step(warp * 32, 7), step(warp * 32 + 1, 8)});
  return made;
}

TensorOperation queued(TensorAct act, std::uint32_t thread, std::uint64_t accumulator = 0) {
  return {.act = act,
          .issuer = {1, thread},
          .issued = step(thread, 4),
          .done = {{1 | race::kAgentMarks, thread}, 5},
          .accumulator = accumulator};
}

void expect_gap(const TensorOperation& earlier, const TensorOperation& later, const TensorKnowledge& knows,
                TensorGap gap) {
  const TensorRelation relation = tensor_relation(earlier, later, knows);
  EXPECT_EQ(relation.order, TensorOrder::unordered);
  EXPECT_EQ(relation.gap, gap);
}

TEST(TensorRelation, AWarpWaitsForItsOwnLoadsAndStores) {
  const TensorOperation next = of_warp(TensorAct::store, 0);
  expect_gap(of_warp(TensorAct::store, 0), next, {}, TensorGap::store_wait);
  expect_gap(of_warp(TensorAct::load, 0), next, {}, TensorGap::load_wait);
  EXPECT_EQ(tensor_relation(of_warp(TensorAct::load, 0, true), next, {}).order, TensorOrder::ordered);
  // So does a product that one of its lanes issues.
  expect_gap(of_warp(TensorAct::load, 0), queued(TensorAct::product, 3), {}, TensorGap::load_wait);
  EXPECT_EQ(tensor_relation(of_warp(TensorAct::load, 0, true), queued(TensorAct::product, 3), {}).order,
            TensorOrder::ordered);
}

TEST(TensorRelation, OtherThreadsAreToldOfAWaitByAnyLaneOfIt) {
  const TensorOperation store = of_warp(TensorAct::store, 0, true), load = of_warp(TensorAct::load, 4);
  expect_gap(store, load, {}, TensorGap::threads);
  expect_gap(store, load, {.known = knowing(step(1, 7))}, TensorGap::threads);
  EXPECT_EQ(tensor_relation(store, load, {.known = knowing(step(1, 8))}).order, TensorOrder::without_fences);
  EXPECT_EQ(tensor_relation(store, load, {.fenced = knowing(step(1, 8))}).order, TensorOrder::ordered);
  // A release and an acquire, with the fence after behind it.
  EXPECT_EQ(tensor_relation(store, load, {.known = knowing(step(1, 8)), .seen = knowing(step(1, 8))}).order,
            TensorOrder::ordered);
  expect_gap(store, load, {.heard = knowing(step(0, 7))}, TensorGap::fences);
  // The wait comes too late for what they are told.
  expect_gap(store, load, {.known = knowing(step(0, 6))}, TensorGap::store_wait);
}

TEST(TensorRelation, TheEndOfAProductIsKnownThroughItsCommit) {
  TensorOperation product = queued(TensorAct::product, 0);
  const TensorOperation load = of_warp(TensorAct::load, 0);
  expect_gap(product, load, {}, TensorGap::commit);
  product.committed = true;
  expect_gap(product, load, {}, TensorGap::mbarrier_wait);
  expect_gap(product, load, {.heard = knowing(product.done)}, TensorGap::fences);
  EXPECT_EQ(tensor_relation(product, load, {.known = knowing(product.done)}).order, TensorOrder::without_fences);
  EXPECT_EQ(tensor_relation(product, load, {.seen = knowing(product.done)}).order, TensorOrder::ordered);
}

TEST(TensorRelation, PairsOfOneThreadAreAPipeline) {
  const TensorOperation product = queued(TensorAct::product, 0, 1), copy = queued(TensorAct::copy, 0);
  EXPECT_EQ(tensor_relation(product, queued(TensorAct::product, 0, 1), {}).order, TensorOrder::ordered);
  EXPECT_EQ(tensor_relation(copy, product, {}).order, TensorOrder::ordered);
  EXPECT_EQ(tensor_relation(product, queued(TensorAct::product, 0, 2), {}).order, TensorOrder::by_issue);
  EXPECT_EQ(tensor_relation(product, copy, {}).order, TensorOrder::by_issue);
  // A wait that no fence follows changes nothing for a pair.
  const TensorKnowledge waited{.known = knowing(product.done)};
  EXPECT_EQ(tensor_relation(product, queued(TensorAct::product, 0, 1), waited).order, TensorOrder::ordered);
  EXPECT_EQ(tensor_relation(product, queued(TensorAct::product, 0, 2), waited).order, TensorOrder::without_fences);
}

TEST(TensorRelation, APipelineOfTwoThreadsNeedsTheFences) {
  const TensorOperation copy = queued(TensorAct::copy, 32), product = queued(TensorAct::product, 0);
  expect_gap(copy, product, {}, TensorGap::commit);
  expect_gap(copy, product, {.known = knowing(copy.issued)}, TensorGap::fences);
  EXPECT_EQ(tensor_relation(copy, product, {.fenced = knowing(copy.issued)}).order, TensorOrder::ordered);
}

TEST(TensorRelation, AReleaseIsBehindTheOperationsOfItsOwnWarp) {
  const TensorOperation release = of_warp(TensorAct::release, 0);
  EXPECT_EQ(tensor_relation(of_warp(TensorAct::load, 0), release, {}).order, TensorOrder::ordered);
  const TensorOperation product = queued(TensorAct::product, 3);
  EXPECT_EQ(tensor_relation(product, release, {}).order, TensorOrder::ordered);
  EXPECT_EQ(tensor_relation(product, release, {.known = knowing(product.done)}).order, TensorOrder::ordered);
  const TensorOperation load = of_warp(TensorAct::load, 1);
  expect_gap(load, release, {}, TensorGap::load_wait);
  EXPECT_EQ(tensor_relation(load, release, {.known = knowing(step(32, 6))}).order, TensorOrder::by_registers);
  expect_gap(of_warp(TensorAct::load, 1, true), release, {}, TensorGap::threads);
}

TEST(TensorMemory, ColumnsAreTakenFromTheFirstFreeOnesOn) {
  TensorMemory memory;
  EXPECT_FALSE(memory.is_allocated(0, 1));
  EXPECT_EQ(memory.allocate(256, 1, {}), 0u);
  EXPECT_EQ(memory.allocate(128, 2, {}), 256u);
  EXPECT_EQ(memory.allocate(256, 3, {}), std::nullopt);
  EXPECT_TRUE(memory.is_allocated(200, 100));
  EXPECT_FALSE(memory.is_allocated(380, 8));
  EXPECT_FALSE(memory.is_allocated(~0u - 3, 8));
  memory.release(0, 256);
  EXPECT_EQ(memory.allocate(64, 4, {}), 0u);
  memory.release(256, 64);
  const std::vector<TensorMemory::Allocation> left = memory.left();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].site, 2);
  EXPECT_EQ(left[0].columns, 64u);
  EXPECT_EQ(left[1].site, 4);
}

TEST(TensorMemory, ComparesAWriteWithAllReadsSinceTheLastOne) {
  TensorMemory memory;
  memory.allocate(32, 0, {});
  std::set<std::pair<std::uint32_t, bool>> told;
  auto access = [&](const TensorOperation& operation, const TensorRegion& region, bool writes) {
    told.clear();
    memory.access(std::make_shared<TensorOperation>(operation), region, writes, {},
                  [&](const TensorOperation& earlier, const TensorRelation&, bool wrote, std::uint32_t) {
                    told.emplace(earlier.issuer.thread, wrote);
                  });
  };
  using Told = std::set<std::pair<std::uint32_t, bool>>;
  access(of_warp(TensorAct::store, 0), {1, 0, 4}, true);
  EXPECT_EQ(told, Told{});
  access(of_warp(TensorAct::load, 4), {1, 2, 4}, false);
  EXPECT_EQ(told, (Told{{0, true}}));
  access(of_warp(TensorAct::load, 8), {3, 0, 8}, false);
  EXPECT_EQ(told, (Told{{0, true}}));
  access(queued(TensorAct::product, 5), {3, 2, 2}, true);
  EXPECT_EQ(told, (Told{{0, true}, {128, false}, {256, false}}));
  access(of_warp(TensorAct::load, 0), {1, 2, 1}, false);
  EXPECT_EQ(told, (Told{{5, true}}));
  access(of_warp(TensorAct::store, 0), {4, 2, 1}, true);
  EXPECT_EQ(told, Told{});
}

// Each shape gives each word of its lanes and columns to one register of one lane.
TEST(TensorPlace, ShapesSpreadAllWords) {
  for (const TensorShape shape : {TensorShape::lanes32_words1, TensorShape::lanes16_words2, TensorShape::lanes16_words4,
                                  TensorShape::lanes16_words8}) {
    constexpr unsigned kRegisters = 8;
    std::set<std::pair<unsigned, unsigned>> seen;
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned number = 0; number < kRegisters; ++number) {
        const TensorPlace place = tensor_place(shape, lane, number);
        EXPECT_LT(place.lane, lanes_of(shape));
        EXPECT_LT(place.column, columns_of(shape, kRegisters));
        EXPECT_TRUE(seen.emplace(place.lane, place.column).second);
      }
    }
  }
}

}  // namespace
}  // namespace weakspot::race_jit::tensor_memory_test

// SPDX-License-Identifier: MIT
// Launches of functions that call the hooks as compiled kernels do.
#include "race_jit/machine/machine.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
extern "C" void weakspot_cluster_barrier(std::uint32_t site);
extern "C" void* weakspot_map_shared(const void* address, std::uint32_t rank, std::uint32_t site);
extern "C" std::uint32_t weakspot_cluster_register(int which, std::uint32_t site);
}  // namespace weakspot::race_jit

namespace weakspot::race_jit::machine_test {
namespace {

std::unique_ptr<Machine> make_machine(race::Interval intervals) {
  base::Result<std::unique_ptr<Arena>> arena = Arena::create();
  if (!arena) return nullptr;
  MachineOptions options;
  options.detector.intervals = intervals;
  auto device = std::make_unique<Machine>(std::move(*arena), options);
  device->sites().resize(8);
  return device;
}

LaunchRequest request_of(void (*entry)(void**), Extent grid, Extent block) {
  LaunchRequest request;
  request.entry = entry;
  request.grid = grid;
  request.block = block;
  request.static_shared = 64;
  return request;
}

void write_shared(std::uint32_t site) { weakspot_access(weakspot_current->shared, 4, kWrite, site, 0); }

void race_then_many_barriers(void**) {
  write_shared(1);
  for (int i = 0; i < 1000; ++i) weakspot_barrier(2);
}

TEST(Machine, GivesUpWhenIntervalsAreSpentAndKeepsWhatWasFound) {
  std::unique_ptr<Machine> device = make_machine(100);
  ASSERT_TRUE(device);
  const LaunchRequest request = request_of(&race_then_many_barriers, {1, 1, 1}, {64, 1, 1});
  EXPECT_FALSE(device->launch(request, Schedule::forward));
  ASSERT_EQ(device->incidents().size(), 1u);
  EXPECT_EQ(device->incidents()[0].kind, Incident::Kind::deadline);
  EXPECT_EQ(device->incidents()[0].text,
            "the runs have met more barriers and fences than can be told apart: 100 intervals");
  EXPECT_EQ(device->incidents()[0].site, 2);
  EXPECT_EQ(device->detector().races().size(), 1u);
  // The next launch has none left to begin with.
  EXPECT_FALSE(device->launch(request, Schedule::forward));
  ASSERT_EQ(device->incidents().size(), 2u);
  EXPECT_EQ(device->incidents()[1].site, 0);
}

TEST(Machine, HasEnoughIntervalsForOrdinaryRuns) {
  std::unique_ptr<Machine> device = make_machine(race::DetectorOptions().intervals);
  ASSERT_TRUE(device);
  EXPECT_TRUE(device->launch(request_of(&race_then_many_barriers, {2, 1, 1}, {64, 1, 1}), Schedule::reversed));
  EXPECT_TRUE(device->incidents().empty());
}

void write_to_the_next(void** arguments) {
  auto* ranks = static_cast<std::uint32_t*>(arguments[0]);
  const std::uint32_t rank = weakspot_cluster_register(kRankInCluster, 0),
                      blocks = weakspot_cluster_register(kBlocksOfCluster, 0);
  weakspot_cluster_barrier(2);
  if (weakspot_current->number == 0) {
    auto* place = static_cast<std::uint32_t*>(weakspot_map_shared(weakspot_current->shared, (rank + 1) % blocks, 1));
    weakspot_access(place, 4, kWrite, 1, 0);
    *place = 10 * weakspot_current->block[1] + weakspot_current->block[0];
  }
  weakspot_cluster_barrier(2);
  if (weakspot_current->number == 0) {
    weakspot_access(weakspot_current->shared, 4, 0, 3, 0);
    const std::uint32_t index = weakspot_current->block[1] * 4 + weakspot_current->block[0];
    ranks[index] = *reinterpret_cast<std::uint32_t*>(weakspot_current->shared);
  }
  weakspot_cluster_barrier(2);
}

TEST(Machine, ClustersAreBlocksThatLieTogether) {
  for (const Schedule schedule : {Schedule::forward, Schedule::reversed, Schedule::random}) {
    std::unique_ptr<Machine> device = make_machine(race::DetectorOptions().intervals);
    ASSERT_TRUE(device);
    LaunchRequest request = request_of(&write_to_the_next, {4, 2, 1}, {33, 1, 1});
    request.cluster = {2, 2, 1};
    std::uint32_t from[8] = {};
    void* arguments[] = {from};
    request.arguments = arguments;
    EXPECT_TRUE(device->launch(request, schedule));
    EXPECT_TRUE(device->incidents().empty());
    EXPECT_TRUE(device->detector().races().empty());
    // Ranks go along x first: the one before (0,0) is (1,1).
    EXPECT_EQ(std::vector<std::uint32_t>(from, from + 8), (std::vector<std::uint32_t>{11, 0, 13, 2, 1, 10, 3, 12}));
  }
}

// The first block reads the memory of the second; then all meet if the argument says so.
void read_the_last(void** arguments) {
  weakspot_cluster_barrier(2);
  if (weakspot_cluster_register(kRankInCluster, 0) == 0) {
    weakspot_access(weakspot_map_shared(weakspot_current->shared, 1, 1), 4, 0, 1, 0);
  }
  if (arguments[0] != nullptr) weakspot_cluster_barrier(3);
}

// Two clusters of two blocks show one incident at site 1 under every schedule, and none if they meet.
void expect_unless_met(void (*kernel)(void**), std::uint32_t threads, Incident::Kind kind, std::uint64_t count) {
  for (const Schedule schedule : {Schedule::forward, Schedule::reversed, Schedule::random}) {
    for (const bool meet : {false, true}) {
      std::unique_ptr<Machine> device = make_machine(race::DetectorOptions().intervals);
      ASSERT_TRUE(device);
      LaunchRequest request = request_of(kernel, {4, 1, 1}, {threads, 1, 1});
      request.cluster = {2, 1, 1};
      void* arguments[] = {meet ? device.get() : nullptr};
      request.arguments = arguments;
      EXPECT_TRUE(device->launch(request, schedule));
      ASSERT_EQ(device->incidents().size(), meet ? 0u : 1u);
      if (meet) continue;
      EXPECT_EQ(device->incidents()[0].kind, kind);
      EXPECT_EQ(device->incidents()[0].site, 1);
      EXPECT_EQ(device->incidents()[0].count, count);  // each thread of the first block of both clusters
    }
  }
}

TEST(Machine, MemoryOfABlockMayBeGoneWhateverTheScheduleSays) {
  expect_unless_met(&read_the_last, 32, Incident::Kind::ended_block, 64);
}

// The first block writes into the second; all meet behind that, and before it if the argument says so.
void write_the_last(void** arguments) {
  if (arguments[0] != nullptr) weakspot_cluster_barrier(2);
  if (weakspot_cluster_register(kRankInCluster, 0) == 0) {
    weakspot_access(weakspot_map_shared(weakspot_current->shared, 1, 1), 4, 1, 1, 0);
  }
  weakspot_cluster_barrier(3);
}

TEST(Machine, BlockMayNotHaveStartedWhateverTheScheduleSays) {
  expect_unless_met(&write_the_last, 1, Incident::Kind::unstarted_block, 2);
}

}  // namespace
}  // namespace weakspot::race_jit::machine_test

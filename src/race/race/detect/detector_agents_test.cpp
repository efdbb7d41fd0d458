// SPDX-License-Identifier: MIT
// Literal traces of asynchronous operations and of launches that depend on each other.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "race/detector.h"

namespace weakspot::race::detector_agents_test {
namespace {

constexpr std::uint64_t kBase = 4096;

class AgentsTest : public testing::Test {
 protected:
  AgentsTest() : cells(256), detector(Shadow(cells.data(), kBase, 1024), {}) { detector.start_launch(); }

  ThreadState& thread(std::uint32_t block, unsigned number) {
    auto [found, fresh] = blocks.try_emplace(block);
    if (fresh) detector.start_block(found->second, block, 64);
    return found->second.threads[number];
  }
  void write(std::uint32_t block, unsigned number, SiteId site) { plain(block, number, site, AccessKind::write); }
  void read(std::uint32_t block, unsigned number, SiteId site) { plain(block, number, site, AccessKind::read); }
  // An operation of a thread, by the agent of that number; returns what those learn that wait for its end.
  ClockRef operation(std::uint32_t block, unsigned issuer, unsigned agent, SiteId site, AccessKind kind,
                     const ClockRef& fenced = nullptr) {
    ThreadState& issuing = thread(block, issuer);
    ThreadState& state = thread(block | kAgentMarks, agent);
    detector.start_agent(state, issuer, detector.publish(issuing));
    Access access{.address = kBase, .kind = kind, .site = site, .strong = true, .scope = Scope::block};
    access.asynchronous = true;
    access.fenced = fenced.get();
    detector.access(state, access);
    return steps_of(state);
  }
  std::string races() const {
    static constexpr const char* kNames[] = {"E1", "E2", "P1", "P2"};
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

 private:
  void plain(std::uint32_t block, unsigned number, SiteId site, AccessKind kind) {
    detector.access(thread(block, number), {.address = kBase, .kind = kind, .site = site});
  }
};

TEST_F(AgentsTest, TheOrderOfThreadsIsNotThatOfProxies) {
  write(0, 5, 1);
  detector.barrier(blocks[0], 9);
  operation(0, 0, 0, 2, AccessKind::read);
  EXPECT_EQ(races(), "P1 1-2");
  EXPECT_EQ(detector.races()[0].second.thread, (ThreadName{kAgentBlock, 0}));
}

TEST_F(AgentsTest, AFenceLetsTheWriteThrough) {
  write(0, 5, 1);
  const ClockRef fenced = detector.publish(thread(0, 5));
  detector.barrier(blocks[0], 9);
  operation(0, 0, 0, 2, AccessKind::write, fenced);
  EXPECT_EQ(races(), "");
}

TEST_F(AgentsTest, AReadIsOverwrittenBehindAFenceOnly) {
  read(0, 5, 1);
  detector.barrier(blocks[0], 9);
  operation(0, 0, 0, 2, AccessKind::write);
  EXPECT_EQ(races(), "P2 1-2");
}

TEST_F(AgentsTest, AFenceLetsTheReadEnd) {
  read(0, 5, 1);
  const ClockRef fenced = detector.publish(thread(0, 5));
  detector.barrier(blocks[0], 9);
  operation(0, 0, 0, 2, AccessKind::write, fenced);
  EXPECT_EQ(races(), "");
}

TEST_F(AgentsTest, WithoutOrderItIsARace) {
  thread(0, 0);
  write(0, 5, 1);
  operation(0, 0, 0, 2, AccessKind::read);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(AgentsTest, AnOperationGoesOnUntilItsEndIsKnown) {
  const ClockRef end = operation(0, 0, 0, 1, AccessKind::write);
  read(0, 0, 2);
  EXPECT_EQ(races(), "E1 1-2");
  detector.learn(thread(0, 7), end);
  read(0, 7, 3);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(AgentsTest, OperationsOfOneThreadAreNotOrdered) {
  operation(0, 0, 0, 1, AccessKind::write);
  operation(0, 0, 1, 2, AccessKind::write);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(AgentsTest, TheEndOfOneSaysNothingAboutItsIssuer) {
  write(0, 0, 1);
  ThreadState& agent = thread(kAgentMarks, 0);
  detector.start_agent(agent, 0, detector.publish(thread(0, 0)));
  detector.learn(thread(0, 40), steps_of(agent));
  read(0, 40, 2);
  EXPECT_EQ(races(), "E1 1-2");
}

TEST_F(AgentsTest, ADependentLaunchOverlapsUntilItWaits) {
  const Interval begin = detector.last_interval() + 1;
  write(0, 0, 1);
  const IntervalRange first{begin, detector.last_interval() + 1};
  blocks.clear();
  detector.start_launch({first}, false, first);
  read(1, 0, 2);
  EXPECT_EQ(races(), "E1 1-2");
  EXPECT_TRUE(detector.races()[0].missing_grid_wait);
  detector.wait_for_grids(thread(1, 3));
  read(1, 3, 3);
  EXPECT_EQ(races(), "E1 1-2");
  detector.barrier(blocks[1], 9);
  read(1, 4, 4);
  EXPECT_EQ(races(), "E1 1-2") << "a barrier hands it on";
}

}  // namespace
}  // namespace weakspot::race::detector_agents_test

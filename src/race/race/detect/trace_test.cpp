// SPDX-License-Identifier: MIT
// Chains of literal traces.
#include "race/trace.h"

#include <gtest/gtest.h>

namespace weakspot::race::trace_test {
namespace {

constexpr std::uint64_t kData = 4096, kFlag = 4100, kOther = 4104;
constexpr SiteId kWriteSite = 1, kSignalSite = 2, kPollSite = 3, kReadSite = 4, kFenceSite = 5, kBarrierSite = 6;
constexpr ThreadName kWriter{0, 0}, kReader{1, 0};

Access plain(AccessKind kind, std::uint64_t address, SiteId site) {
  return {.address = address, .kind = kind, .site = site};
}

Access strong(AccessKind kind, std::uint64_t address, SiteId site) {
  return {.address = address, .kind = kind, .site = site, .strong = true};
}

class TraceTest : public testing::Test {
 protected:
  void write(ThreadName thread) { trace.access(thread, plain(AccessKind::write, kData, kWriteSite)); }
  void read(ThreadName thread) { trace.access(thread, plain(AccessKind::read, kData, kReadSite)); }
  void set(ThreadName thread, std::uint64_t address = kFlag) {
    trace.access(thread, strong(AccessKind::write, address, kSignalSite));
  }
  void poll(ThreadName thread, std::uint64_t address = kFlag) {
    trace.access(thread, strong(AccessKind::read, address, kPollSite));
  }
  TracedChain chain() const { return trace.chain_to_last(kWriter, kWriteSite, true); }

  Trace trace;
};

TEST_F(TraceTest, FindsAMessageWithItsFences) {
  write(kWriter);
  trace.fence(kWriter, Scope::block, kFenceSite);
  set(kWriter);
  trace.fence(kWriter, Scope::device, kFenceSite);
  poll(kReader);
  read(kReader);
  const TracedChain found = chain();
  ASSERT_EQ(found.parts.size(), 2u);
  ASSERT_EQ(found.links.size(), 1u);
  ASSERT_EQ(found.parts[0].steps.size(), 3u);  // the fence after the flag is too late
  EXPECT_EQ(found.parts[0].steps[1].event.kind, TraceEvent::Kind::fence);
  EXPECT_EQ(found.parts[0].steps[1].event.scope, Scope::block);
  ASSERT_EQ(found.parts[1].steps.size(), 2u);
  EXPECT_EQ(found.links[0].from, found.parts[0].steps[2].number);
  EXPECT_EQ(found.links[0].to, found.parts[1].steps[0].number);
}

TEST_F(TraceTest, APollBeforeTheFlagWasSetIsNoLink) {
  poll(kReader);
  write(kWriter);
  set(kWriter);
  read(kReader);
  EXPECT_TRUE(chain().links.empty());
  EXPECT_EQ(chain().parts.size(), 2u);
}

TEST_F(TraceTest, ALaterWriteHidesTheEarlierOne) {
  write(kWriter);
  set(kWriter);
  set({2, 0});
  poll(kReader);
  read(kReader);
  EXPECT_TRUE(chain().links.empty());
}

TEST_F(TraceTest, UpdatesHandOnWhatTheySaw) {
  write(kWriter);
  set(kWriter);
  trace.access({2, 0}, strong(AccessKind::update, kFlag, kSignalSite));
  poll(kReader);
  read(kReader);
  EXPECT_EQ(chain().parts.size(), 2u);
  EXPECT_EQ(chain().links.size(), 1u);
}

TEST_F(TraceTest, AnUpdateOfBlockScopeIsAThreadOfItsOwn) {
  write(kWriter);
  set(kWriter);
  Access narrow = strong(AccessKind::update, kFlag, kSignalSite);
  narrow.scope = Scope::block;
  trace.access({2, 0}, narrow);
  poll(kReader);
  read(kReader);
  ASSERT_EQ(chain().parts.size(), 3u);
  EXPECT_EQ(chain().parts[1].steps.size(), 1u);
  EXPECT_EQ(chain().links[0].to, chain().links[1].from);
}

TEST_F(TraceTest, GoesThroughAThirdThread) {
  write(kWriter);
  set(kWriter);
  poll({2, 0});
  set({2, 0}, kOther);
  poll(kReader, kOther);
  read(kReader);
  ASSERT_EQ(chain().parts.size(), 3u);
  EXPECT_EQ(chain().parts[1].thread, (ThreadName{2, 0}));
  EXPECT_EQ(chain().parts[1].steps.size(), 2u);
}

TEST_F(TraceTest, GoesThroughBarriersOfBothBlocks) {
  write(kWriter);
  trace.barrier(0, kBarrierSite);
  set({0, 5});
  poll({1, 7});
  trace.barrier(1, kBarrierSite);
  read(kReader);
  const TracedChain found = chain();
  ASSERT_EQ(found.parts.size(), 4u);
  EXPECT_EQ(found.parts[0].steps[1].number, found.parts[1].steps[0].number);
  EXPECT_EQ(found.parts[1].thread, (ThreadName{0, 5}));
  EXPECT_EQ(found.parts[2].thread, (ThreadName{1, 7}));
}

TEST_F(TraceTest, AWarpBarrierLinksItsLanesOnly) {
  write(kWriter);
  trace.warp_barrier(0, {0, 1});
  set({0, 1});
  poll(kReader);
  read(kReader);
  EXPECT_EQ(chain().parts.size(), 3u);
  trace.clear();
  write(kWriter);
  trace.warp_barrier(0, {0, 1});
  set({0, 2});
  poll(kReader);
  read(kReader);
  EXPECT_TRUE(chain().links.empty());
}

TEST_F(TraceTest, PlainAccessesLinkOnlyWherePolled) {
  write(kWriter);
  trace.access(kWriter, plain(AccessKind::write, kFlag, kSignalSite));
  Access look = plain(AccessKind::read, kFlag, kPollSite);
  trace.access(kReader, look);
  read(kReader);
  EXPECT_TRUE(chain().links.empty());
  look.feeds_data = false;
  trace.access(kReader, look);
  read(kReader);
  EXPECT_EQ(chain().links.size(), 1u);
}

TEST_F(TraceTest, TellsWhetherTheRaceIsForASignal) {
  write(kWriter);
  read(kReader);
  EXPECT_FALSE(chain().on_signal);
  set({2, 0}, kData);
  read(kReader);
  EXPECT_TRUE(chain().on_signal);
}

TEST_F(TraceTest, ForgetsWithTheLaunch) {
  write(kWriter);
  trace.clear();
  read(kReader);
  EXPECT_TRUE(chain().parts.empty());
  EXPECT_EQ(trace.keep_chain(kWriter, kWriteSite, true), 0u);
}

}  // namespace
}  // namespace weakspot::race::trace_test

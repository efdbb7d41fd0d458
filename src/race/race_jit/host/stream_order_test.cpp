// SPDX-License-Identifier: MIT
#include "race_jit/host/stream_order.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

using Numbers = std::vector<std::uint64_t>;

class StreamOrderTest : public testing::Test {
 protected:
  Numbers submit(StreamId stream) {
    Numbers unordered;
    order.submit(stream, unordered);
    return unordered;
  }

  StreamOrder order;
};

TEST_F(StreamOrderTest, OneStreamIsOrdered) {
  const StreamId a = order.create_stream(true);
  EXPECT_EQ(submit(a), Numbers{});
  EXPECT_EQ(submit(a), Numbers{});
}

TEST_F(StreamOrderTest, TwoStreamsAreNot) {
  const StreamId a = order.create_stream(true), b = order.create_stream(true);
  EXPECT_EQ(submit(a), Numbers{});
  EXPECT_EQ(submit(b), Numbers{1});
  EXPECT_EQ(submit(a), Numbers{2});
  order.host_waits_for_stream(b);
  EXPECT_EQ(submit(b), (Numbers{1, 3}));
  order.host_waits_for_all();
  EXPECT_EQ(submit(b), Numbers{});
}

TEST_F(StreamOrderTest, TheDefaultStreamWaitsAndIsWaitedFor) {
  const StreamId a = order.create_stream(true), b = order.create_stream(true);
  submit(a);
  EXPECT_EQ(submit(0), Numbers{});
  EXPECT_EQ(submit(b), Numbers{});
  EXPECT_EQ(submit(a), Numbers{3});
}

TEST_F(StreamOrderTest, NonBlockingStreamsDoNot) {
  const StreamId a = order.create_stream(false);
  submit(a);
  EXPECT_EQ(submit(0), Numbers{1});
  EXPECT_EQ(submit(a), Numbers{2});
}

TEST_F(StreamOrderTest, EventsOrder) {
  const StreamId a = order.create_stream(true), b = order.create_stream(true);
  const EventId event = order.create_event();
  submit(a);
  order.record(event, a);
  submit(a);
  order.stream_waits(b, event);
  EXPECT_EQ(submit(b), Numbers{2});
  order.host_waits_for_event(event);
  EXPECT_EQ(submit(b), Numbers{2});
  // An event that was never recorded is over.
  const EventId never = order.create_event();
  order.host_waits_for_event(never);
  EXPECT_EQ(submit(a), (Numbers{3, 4}));
}

TEST_F(StreamOrderTest, DestroyedStreamsKeepTheirWork) {
  const StreamId a = order.create_stream(true), b = order.create_stream(true);
  submit(a);
  order.destroy_stream(a);
  EXPECT_FALSE(order.has_stream(a));
  EXPECT_EQ(submit(b), Numbers{1});
  order.host_waits_for_all();
  EXPECT_EQ(submit(b), Numbers{});
}

}  // namespace
}  // namespace weakspot::race_jit

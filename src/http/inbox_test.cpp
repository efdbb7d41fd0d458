// SPDX-License-Identifier: MIT
#include "http/inbox.h"

#include <gtest/gtest.h>

#include "support/loopback_client.h"

namespace weakspot::http::inbox_test {
namespace {

using namespace std::chrono_literals;
using tests::connect_to;
using tests::say;

TEST(Inbox, SilentConnectionsKeepNoOtherWaiting) {
  base::Result<Listener> listener = Listener::open();
  ASSERT_TRUE(listener);
  Inbox inbox(*std::move(listener));
  std::vector<base::UniqueFd> silent;
  silent.reserve(40);
  for (int i = 0; i < 40; ++i) silent.push_back(connect_to(inbox.port()));
  const base::UniqueFd slow = connect_to(inbox.port());
  say(slow, "GET /slow HTT");
  EXPECT_FALSE(inbox.next(10, Clock::now() + 50ms));
  const base::UniqueFd quick = connect_to(inbox.port());
  say(quick, "GET /quick HTTP/1.1\r\n\r\n");
  const std::optional<Inbox::Arrival> first = inbox.next(10, Clock::now() + 5s);
  ASSERT_TRUE(first);
  EXPECT_EQ("/quick", first->request.path);
  say(slow, "P/1.1\r\n\r\n");
  const std::optional<Inbox::Arrival> second = inbox.next(10, Clock::now() + 5s);
  ASSERT_TRUE(second);
  EXPECT_EQ("/slow", second->request.path);
}

TEST(Inbox, AConnectionThatEndsIsForgotten) {
  base::Result<Listener> listener = Listener::open();
  ASSERT_TRUE(listener);
  Inbox inbox(*std::move(listener));
  for (int i = 0; i < 3; ++i) {
    const base::UniqueFd gone = connect_to(inbox.port());
    say(gone, "GET /");
  }
  const base::UniqueFd wrong = connect_to(inbox.port());
  say(wrong, "nonsense\r\n\r\n");
  EXPECT_FALSE(inbox.next(10, Clock::now() + 50ms));
}

}  // namespace
}  // namespace weakspot::http::inbox_test

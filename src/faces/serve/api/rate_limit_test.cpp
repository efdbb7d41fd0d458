// SPDX-License-Identifier: MIT
#include "serve/api/rate_limit.h"

#include <gtest/gtest.h>

namespace weakspot::serve::rate_limit_test {
namespace {

using namespace std::chrono_literals;

TEST(RateLimit, ABurstAndThenAsTimePasses) {
  RateLimit limit(6, 3);
  const RateLimit::Clock::time_point start(1h);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.allows("1", start));
  EXPECT_FALSE(limit.allows("1", start));
  EXPECT_TRUE(limit.allows("2", start)) << "others are not limited";
  EXPECT_FALSE(limit.allows("1", start + 9s));
  EXPECT_TRUE(limit.allows("1", start + 11s));
  EXPECT_FALSE(limit.allows("1", start + 12s));
  EXPECT_TRUE(limit.allows("1", start + 10min));
}

TEST(RateLimit, ManyAddressesAreForgotten) {
  RateLimit limit(60, 1);
  const RateLimit::Clock::time_point start(1h);
  for (int address = 0; address < 100'000; ++address) ASSERT_TRUE(limit.allows(std::to_string(address), start));
  EXPECT_FALSE(limit.allows("new", start));
  EXPECT_TRUE(limit.allows("new", start + 2s));
  EXPECT_EQ(1u, limit.remembered());
}

}  // namespace
}  // namespace weakspot::serve::rate_limit_test

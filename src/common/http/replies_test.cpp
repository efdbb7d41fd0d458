// SPDX-License-Identifier: MIT
#include "http/replies.h"

#include <gtest/gtest.h>

namespace weakspot::http::replies_test {
namespace {

TEST(Replies, ARefusalHasASentence) {
  const Response refused = refusal(401, "agents need a \"token\"");
  EXPECT_EQ(401, refused.status);
  EXPECT_EQ("application/json", refused.type);
  EXPECT_EQ("{\"error\":\"agents need a \\\"token\\\"\"}\n", refused.body);
  EXPECT_EQ("Bearer", refused.header("WWW-Authenticate"));
}

TEST(Replies, AnEventIsOneLineOfData) {
  EXPECT_EQ("event: done\ndata: {\"text\":\"two\\nlines\"}\n\n",
            event_text("done", base::json_object({{"text", "two\nlines"}})));
}

}  // namespace
}  // namespace weakspot::http::replies_test

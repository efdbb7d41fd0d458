// SPDX-License-Identifier: MIT
#include "console/text/duration.h"

#include <gtest/gtest.h>

namespace weakspot::console::duration_test {
namespace {

TEST(Duration, HasAUnitOrIsInSeconds) {
  const std::pair<const char*, double> cases[] = {{"5", 5},      {"5s", 5},   {"500ms", 0.5},
                                                  {"2min", 120}, {"2m", 120}, {"0.5h", 1800}};
  for (const auto& [text, seconds] : cases) {
    const base::Result<double> read = read_duration(text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_DOUBLE_EQ(seconds, *read) << text;
  }
}

TEST(Duration, AnythingElseIsAnError) {
  for (const char* text : {"", "s", "0", "-1s", "5 s", "5days", "1e10", "nan"}) {
    const base::Result<double> read = read_duration(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(std::string("'") + text + "' is not a time such as 5, 500ms, 5s, 2min or 1h",
              read.errors().front().message);
  }
}

TEST(Duration, ReadsBack) {
  for (const double seconds : {0.001, 0.25, 1.0, 90.0, 1e7}) {
    EXPECT_DOUBLE_EQ(*read_duration(duration_text(seconds)), seconds) << duration_text(seconds);
  }
  EXPECT_EQ(duration_text(0.001), "1ms");
  EXPECT_EQ(duration_text(20), "20s");
}

}  // namespace
}  // namespace weakspot::console::duration_test

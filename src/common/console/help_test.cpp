// SPDX-License-Identifier: MIT
#include "console/help.h"

#include <gtest/gtest.h>

namespace weakspot::console::help_test {
namespace {

TEST(Help, TwoColumns) { EXPECT_EQ(help_entry("--json", "print JSON"), "  --json              print JSON\n"); }

TEST(Help, LongTextsAreWrappedInTheirColumn) {
  EXPECT_EQ(help_entry("--out FILE", "write a record of each run as a line of JSON, from its start on"),
            "  --out FILE          write a record of each run as a line of JSON, from its\n"
            "                      start on\n");
}

TEST(Help, ADefaultStaysOnOneLine) {
  EXPECT_EQ(help_entry("--seconds S", "time for each test, after which it is 'unknown' (default 60)"),
            "  --seconds S         time for each test, after which it is 'unknown'\n"
            "                      (default 60)\n");
}

TEST(Help, LineBreaksStay) {
  EXPECT_EQ(help_entry("a", "b:\nc"), "  a                   b:\n                      c\n");
}

TEST(Help, ALongTermStandsAlone) {
  EXPECT_EQ(help_entry("--forbidden-by NAME,...", "keep"), "  --forbidden-by NAME,...\n                      keep\n");
}

}  // namespace
}  // namespace weakspot::console::help_test

// SPDX-License-Identifier: MIT
#include "console/fold.h"

#include <gtest/gtest.h>

namespace weakspot::console::fold_test {
namespace {

TEST(Fold, ShortLinesStay) { EXPECT_EQ(folded("weak  MP\n\n  x\n", 40), "weak  MP\n\n  x\n"); }

TEST(Fold, AnEnvironmentGetsLinesOfItsOwn) {
  EXPECT_EQ(folded("weak        MP  cpu  1.2 M instances  [most in workgroup_size=32,barrier=none,stress=10]\n", 50),
            "weak        MP  cpu  1.2 M instances\n"
            "            [most in workgroup_size=32,\n"
            "            barrier=none,stress=10]\n");
}

TEST(Fold, AFieldThatFitsBelowStaysWhole) {
  EXPECT_EQ(folded("forbidden SB+fence.sc+fence.sc  ptx  never, 3 outcomes\n", 40),
            "forbidden SB+fence.sc+fence.sc  ptx\n"
            "          never, 3 outcomes\n");
}

TEST(Fold, ASentenceGoesOnInItsColumn) {
  EXPECT_EQ(folded("ptx         NVIDIA's memory model: morally strong operations, causality\n", 40),
            "ptx         NVIDIA's memory model:\n"
            "            morally strong operations,\n"
            "            causality\n");
}

TEST(Fold, ANumberKeepsItsUnit) {
  EXPECT_EQ(folded("weak  killed 19.8 k times\n", 18), "weak  killed\n      19.8 k times\n");
  EXPECT_EQ(folded("all of the tests at 99.9 %, in 3 s\n", 25), "all of the tests at\n  99.9 %, in 3 s\n");
  EXPECT_EQ(folded("a test of 2 schedules\n", 12), "a test of 2\n  schedules\n");
}

TEST(Fold, IndentedLinesGoOnFurtherIn) {
  EXPECT_EQ(folded("    1:r0=0; 1:r1=0; 2:r0=0; 2:r1=0; 123456  sequential\n", 40),
            "    1:r0=0; 1:r1=0; 2:r0=0; 2:r1=0;\n"
            "        123456  sequential\n");
}

TEST(Fold, LongWordsAndSourceLinesStayWhole) {
  const std::string path(60, 'p');
  EXPECT_EQ(folded("note " + path + " end\n", 40), "note\n  " + path + "\n  end\n");
  const std::string quoted = "    12 | " + std::string(60, 'x') + " y\n       | " + std::string(50, ' ') + "^ here\n";
  EXPECT_EQ(folded(quoted, 40), quoted);
}

TEST(Fold, CountsColumnsAndNotBytes) {
  std::string bar = "  x=1; 5  weak  ";
  for (int i = 0; i < 20; ++i) bar += "▇";
  EXPECT_EQ(folded(bar, 40), bar);
}

TEST(Fold, AShortenedLineSaysThatItGoesOn) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("abcdefg", std::string::npos), "abcdefg");
}

TEST(Fold, ClipsWithoutCountingColours) {
  EXPECT_EQ(clipped("abcdef\nxy\n", 4), "abcd\nxy\n");
  EXPECT_EQ(clipped("\033[1mabcdef\033[0mg\n", 4), "\033[1mabcd\033[0m\n");
}

}  // namespace
}  // namespace weakspot::console::fold_test

// SPDX-License-Identifier: MIT
#include "console/text/paint.h"

#include <gtest/gtest.h>

namespace weakspot::console::paint_test {
namespace {

TEST(Paint, VerdictsAtTheBeginningOfALine) {
  EXPECT_EQ(painted("FORBIDDEN   MP  cpu\n"), "\033[1;31mFORBIDDEN\033[0m   MP  cpu\n");
  EXPECT_EQ(painted("allowed   SB  tso\n"), "\033[36mallowed\033[0m   SB  tso\n");
  EXPECT_EQ(painted("clean: 0 errors\n"), "\033[32mclean:\033[0m 0 errors\n");
  EXPECT_EQ(painted("the weak one\n"), "the weak one\n");
  EXPECT_EQ(painted("weakly\n"), "weakly\n");
}

TEST(Paint, ClassesAndTheirBars) {
  EXPECT_EQ(painted("  * 1:r0=1;  5  weak         ▇▇\n"), "  * 1:r0=1;  5  \033[33mweak         ▇▇\033[0m\n");
  EXPECT_EQ(painted("    x=0;  5  sequential\n"), "    x=0;  5  \033[32msequential\033[0m\n");
  EXPECT_EQ(painted("    x=0;\n"), "    x=0;\n");
}

TEST(Paint, MessagesAndCarets) {
  EXPECT_EQ(painted("a.cu:1:2: warning: D1 race: x\n"), "a.cu:1:2: \033[33mwarning:\033[0m D1 race: x\n");
  EXPECT_EQ(painted("error: no\n"), "\033[1;31merror:\033[0m no\n");
  EXPECT_EQ(painted("       |   ^ writes\n"), "       |   \033[32m^\033[0m writes\n");
}

}  // namespace
}  // namespace weakspot::console::paint_test

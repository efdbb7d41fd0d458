// SPDX-License-Identifier: MIT
#include "console/output.h"

#include <gtest/gtest.h>

#include "base/source.h"

namespace weakspot::console::output_test {
namespace {

using Ending = base::JobEnding;

TEST(ExitCodes, FollowFromEndings) {
  EXPECT_EQ(exit_code_of(Ending::fine), 0);
  EXPECT_EQ(exit_code_of(Ending::finding), 1);
  EXPECT_EQ(exit_code_of(Ending::bad_input), 2);
  EXPECT_EQ(exit_code_of(Ending::failed), 3);
  EXPECT_EQ(exit_code_of(Ending::cancelled), 130);
}

TEST(ExitCodes, FollowFromTheKindOfAnError) {
  using base::ErrorKind;
  EXPECT_EQ(fail({base::error("expected by this test")}), 2);
  EXPECT_EQ(fail({base::error("expected by this test", ErrorKind::device)}), 3);
  EXPECT_EQ(fail({base::error("expected by this test", ErrorKind::environment)}), 3);
  EXPECT_EQ(fail({base::error("expected by this test", ErrorKind::cancelled)}), 130);
}

TEST(Errors, AreFoldedAtTheWidthOfATerminal) {
  const base::Source source("mp.litmus", "weakspot MP\n st z, 1 ;\n");
  const base::Diagnostic error = base::error_at(source, {16, 17},
                                                "the location z is not declared, and the threads of "
                                                "a test share only those that it declares");
  EXPECT_EQ(
      "mp.litmus:2:5: error: the location z is not\n"
      "  declared, and the threads of a test share only\n"
      "  those that it declares\n"
      "  st z, 1 ;\n"
      "     ^\n",
      base::render(folded_error(error, 48)));
  EXPECT_EQ(base::render(error), base::render(folded_error(error, 200)));
}

TEST(Errors, TheCaretStaysUnderItsPlace) {
  const base::Source source("a", std::string(45, 'x') + "!!" + std::string(45, 'y'));
  const base::Diagnostic error = folded_error(base::error_at(source, {45, 47}, "m"), 40);
  EXPECT_EQ("a:1:46: error: m\n ..." + std::string(16, 'x') + "!!" + std::string(14, 'y') + "...\n" +
                std::string(20, ' ') + "^~\n",
            base::render(error));
  const base::Diagnostic begin = folded_error(base::error_at(source, {0, 92}, "m"), 40);
  EXPECT_EQ("a:1:1: error: m\n " + std::string(35, 'x') + "...\n ^" + std::string(37, '~') + "\n", base::render(begin));
}

TEST(Bars, CanBeOfAscii) { EXPECT_EQ("MP  ###  ==--", with_plain_bars("MP  ▇▇▇  ━━╌╌")); }

}  // namespace
}  // namespace weakspot::console::output_test

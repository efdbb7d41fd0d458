// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <gtest/gtest.h>

namespace weakspot::cli::commands_test {
namespace {

using workbench::Ending;

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

}  // namespace
}  // namespace weakspot::cli::commands_test

// SPDX-License-Identifier: MIT
#include "base/invocation.h"

#include <gtest/gtest.h>

namespace weakspot::base::invocation_test {
namespace {

TEST(Invocation, ACommandCanBeRunAgain) {
  EXPECT_EQ("weakspot run MP --env 'a b'", command_text({"weakspot", "run", "MP", "--env", "a b"}));
}

TEST(Invocation, APasswordIsNotPartOfAReport) {
  EXPECT_EQ("'postgresql://me:***@db/lab'", command_text({"postgresql://me:secret@db/lab"}));
  EXPECT_EQ("'postgresql://me:***@db:5432/lab'", command_text({"postgresql://me:p@ss@db:5432/lab"}));
  EXPECT_EQ("'postgresql://me:***@db/lab'", command_text({"postgresql://me:p/w@db/lab"}));
  EXPECT_EQ("'--store=postgresql://db/lab?password=***&sslmode=require'",
            command_text({"--store=postgresql://db/lab?password=secret&sslmode=require"}));
  EXPECT_EQ("postgresql://db:5432/lab", command_text({"postgresql://db:5432/lab"}));
}

TEST(Invocation, IsNotKnownToALibrary) { EXPECT_FALSE(invocation().is_known()); }

}  // namespace
}  // namespace weakspot::base::invocation_test

// SPDX-License-Identifier: MIT
#include "base/plural.h"

#include <gtest/gtest.h>

namespace weakspot::base {
namespace {

TEST(Plural, OneIsSingular) {
  EXPECT_EQ("0 tests", counted(0, "test"));
  EXPECT_EQ("1 test", counted(1, "test"));
  EXPECT_EQ("2 tests", counted(2, "test"));
  EXPECT_EQ("1 study", counted(1, "study", "studies"));
  EXPECT_EQ("3 studies", counted(3, "study", "studies"));
  EXPECT_EQ("time", plural(1, "time"));
  EXPECT_EQ("times", plural(0, "time"));
}

}  // namespace
}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
#include "report/markup.h"

#include <gtest/gtest.h>

namespace weakspot::report::markup_test {
namespace {

TEST(Markup, ListsBreakAfterCommas) { EXPECT_EQ("a=&lt;1,<wbr>b=2", escaped_list("a=<1,b=2")); }

TEST(Markup, NamesBreakAfterPluses) { EXPECT_EQ("MP+<wbr>rel+<wbr>acq", escaped_list("MP+rel+acq")); }

}  // namespace
}  // namespace weakspot::report::markup_test

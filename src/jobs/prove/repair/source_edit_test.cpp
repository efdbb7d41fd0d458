// SPDX-License-Identifier: MIT
#include "prove/repair/source_edit.h"

#include <gtest/gtest.h>

namespace weakspot::prove::source_edit_test {
namespace {

TEST(SourceEdit, EditsAreMadeInTheirOrder) {
  EXPECT_EQ(edited("abcdef", {{4, 4, "2"}, {1, 3, ""}, {4, 5, "E"}, {1, 1, "1"}}), "a1d2Ef");
}

TEST(SourceEdit, PlacesAreCountedInLinesAndBytes) {
  EXPECT_EQ(offset_of("ab\n  cd\n", 2, 3), 5u);
  EXPECT_EQ(offset_of("ab\ncd\n", 1, 9), 2u);
  EXPECT_EQ(offset_of("ab\n", 7, 1), 3u);
  EXPECT_EQ(line_of("ab\n  cd\n", 5), 2u);
  EXPECT_EQ(indent_at("ab\n\t cd\n", 6), "\t ");
  EXPECT_TRUE(begins_line("ab\n  cd\n", 5));
  EXPECT_FALSE(begins_line("ab\n  cd\n", 6));
}

TEST(SourceEdit, DiffsArePatches) {
  EXPECT_EQ(unified_diff("f", "same\n", "same\n"), "");
  EXPECT_EQ(unified_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nnew\n5\n6\n7\n8\n"),
            "--- f\n+++ f\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+new\n 5\n 6\n 7\n");
  // Two changes that are far apart, and a last line without an end.
  EXPECT_EQ(unified_diff("f", "a\n1\n2\n3\n4\n5\n6\n7\nb", "1\n2\n3\n4\n5\n6\n7\nc"),
            "--- f\n+++ f\n@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -6,4 +5,4 @@\n 5\n 6\n 7\n"
            "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
}

}  // namespace
}  // namespace weakspot::prove::source_edit_test

// SPDX-License-Identifier: MIT
#include "base/markup.h"

#include <gtest/gtest.h>

namespace weakspot::base::markup_test {
namespace {

TEST(Markup, EscapesAndReplaces) { EXPECT_EQ("a&lt;b&gt;&amp;&quot;\n\t?é", escaped("a<b>&\"\r\n\t\x01é")); }

TEST(ShellWord, QuotesWhatAShellWouldReadOtherwise) {
  for (const char* plain : {"a/b.cu", "postgresql://user@db:5432/lab", "--seed=1", "stress,workgroup_size=32"}) {
    EXPECT_EQ(plain, shell_word(plain));
  }
  EXPECT_EQ("''", shell_word(""));
  EXPECT_EQ("'sum<float, 4>'", shell_word("sum<float, 4>"));
  EXPECT_EQ("'it'\\''s; rm -rf $HOME'", shell_word("it's; rm -rf $HOME"));
  EXPECT_EQ("'`a`\n$(b)'", shell_word("`a`\n$(b)"));
}

}  // namespace
}  // namespace weakspot::base::markup_test

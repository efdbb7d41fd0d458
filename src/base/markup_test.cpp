// SPDX-License-Identifier: MIT
#include "base/markup.h"

#include <gtest/gtest.h>

namespace weakspot::base::markup_test {
namespace {

TEST(Markup, EscapesAndReplaces) { EXPECT_EQ("a&lt;b&gt;&amp;&quot;\n\t?é", escaped("a<b>&\"\r\n\t\x01é")); }

}  // namespace
}  // namespace weakspot::base::markup_test

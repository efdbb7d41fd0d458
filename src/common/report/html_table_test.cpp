// SPDX-License-Identifier: MIT
#include "report/html_table.h"

#include <gtest/gtest.h>

namespace weakspot::report::html_table_test {
namespace {

TEST(HtmlTable, HasClassesAndSpans) {
  EXPECT_EQ(
      "<div class=\"box\"><table><tr><th>test</th><th class=\"n\" colspan=\"2\">cpu</th></tr>\n"
      "<tr><td><b>MP</b></td><td class=\"n\">1</td><td class=\"weak\">weak</td></tr>\n"
      "</table></div>\n",
      html_table({{"test", ""}, {"cpu", "n", 2}}, {{{"<b>MP</b>", ""}, number_cell("1"), {"weak", "weak"}}}));
}

}  // namespace
}  // namespace weakspot::report::html_table_test

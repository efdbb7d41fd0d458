// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <gtest/gtest.h>

#include "base/invocation.h"

namespace weakspot::report::page_test {
namespace {

TEST(Page, EscapesItsTitleAndNeedsNothingElse) {
  const std::string page = html_page("a<b", "<p>text</p>");
  EXPECT_NE(std::string::npos, page.find("<title>Weakspot: a&lt;b</title>"));
  EXPECT_NE(std::string::npos, page.find("<p>text</p></body></html>"));
  EXPECT_NE(std::string::npos, page.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
  for (const char* reference : {"http:", "https:", "url(", "@import", "src=", "<link", "<script"}) {
    EXPECT_EQ(std::string::npos, page.find(reference)) << reference;
  }
}

TEST(Page, SaysWhereItComesFrom) {
  base::set_invocation({"weakspot 1.2", "2026-01-31T12:00:00Z", "weakspot report 'a<b'"});
  const std::string page = html_page("t", "<p>text</p>\n");
  base::set_invocation({});
  EXPECT_NE(std::string::npos,
            page.find("<p>text</p>\n<footer><small>Made by weakspot 1.2 on 2026-01-31T12:00:00Z with "
                      "<code>weakspot report 'a&lt;b'</code></small></footer>\n</body></html>"));
}

TEST(Page, ContentsLinkToSections) {
  EXPECT_EQ("", contents_html({{"a", "A"}}));
  EXPECT_EQ("<nav><ul>\n<li><a href=\"#a\">A &amp; B</a></li>\n<li><a href=\"#c\">C</a></li>\n</ul></nav>\n",
            contents_html({{"a", "A & B"}, {"c", "C"}}));
}

}  // namespace
}  // namespace weakspot::report::page_test

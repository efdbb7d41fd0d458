// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace weakspot::report::page_test

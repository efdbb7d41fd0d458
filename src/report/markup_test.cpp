#include "report/markup.h"

#include <gtest/gtest.h>

namespace weakspot::report::markup_test {
namespace {

TEST(Markup, ListsBreakAfterCommas) { EXPECT_EQ("a=&lt;1,<wbr>b=2", escaped_list("a=<1,b=2")); }

TEST(Markup, JsonCannotEndItsScript) {
  EXPECT_EQ(R"({"a": "\u003c/script\u003e\u003c!-- \u0026 é", "b": [1, "\\"]})",
            json_in_script(R"({"a": "</script><!-- & é", "b": [1, "\\"]})"));
}

}  // namespace
}  // namespace weakspot::report::markup_test

// SPDX-License-Identifier: MIT
#include "base/printable.h"

#include <gtest/gtest.h>

#include <utility>

namespace weakspot::base::printable_test {
namespace {

using namespace std::string_literals;

TEST(Printable, WritesOutWhatATerminalObeys) {
  const std::pair<std::string, std::string> cases[] = {
      {"plain, \xCE\xA9 and \xE6\x97\xA5", "plain, \xCE\xA9 and \xE6\x97\xA5"},
      {"\x1B[2J", "\\x1b[2J"},
      {"a\0b"s, "a\\x00b"},
      {"bell\x07 back\x08 return\r", "bell\\x07 back\\x08 return\\x0d"},
      {"del\x7F", "del\\x7f"},
      {"csi \xC2\x9B"
       "31m",
       "csi \\u{9b}31m"},
      {"bidi \xE2\x80\xAE \xE2\x81\xA6", "bidi \\u{202e} \\u{2066}"},
      {"hidden \xE2\x80\x8B\xEF\xBB\xBF", "hidden \\u{200b}\\u{feff}"},
      {"not UTF-8: \x9B \xC3( \xED\xA0\x80", "not UTF-8: \\x9b \\xc3( \\xed\\xa0\\x80"},
      {"cut \xE6\x97", "cut \\xe6\\x97"},
      {"lines\nand\ttabs", "lines\nand\ttabs"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(printable(text), expected);
    EXPECT_EQ(is_printable(text), text == expected);
    EXPECT_EQ(printable(expected), expected);
  }
}

TEST(Printable, AWordHasNoLineBreaks) { EXPECT_EQ(printable_word("a\nb\tc\x1B"), "a\\x0ab\\x09c\\x1b"); }

TEST(Printable, ColumnsAreThoseOfATerminal) {
  EXPECT_EQ(columns_of("abc"), 3u);
  EXPECT_EQ(columns_of("\xCE\xA9"), 1u);
  EXPECT_EQ(columns_of("\xE6\x97\xA5\xE6\x9C\xAC"), 4u);  // two wide characters
  EXPECT_EQ(columns_of("e\xCC\x81"), 1u);                 // an accent over the e
  EXPECT_EQ(blanks_under("\ta\xE6\x97\xA5"), "\t   ");
}

}  // namespace
}  // namespace weakspot::base::printable_test

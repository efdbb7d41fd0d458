// SPDX-License-Identifier: MIT
#include "base/source.h"

#include <gtest/gtest.h>

namespace weakspot::base {
namespace {

TEST(Source, PositionsCountLinesAndCodePoints) {
  const Source source("a", "one\ntw\xC3\xB6 x\n\nend");
  struct {
    std::size_t offset, line, column;
  } cases[] = {{0, 1, 1}, {3, 1, 4}, {4, 2, 1}, {9, 2, 5}, {11, 3, 1}, {12, 4, 1}, {15, 4, 4}, {999, 4, 4}};
  for (const auto& c : cases) {
    EXPECT_EQ(source.position(c.offset).line, c.line) << c.offset;
    EXPECT_EQ(source.position(c.offset).column, c.column) << c.offset;
  }
}

TEST(Source, LineAtLeavesOutTheLineEnd) {
  const Source source("a", "one\r\ntwo\n");
  EXPECT_EQ(source.line_at(1), "one");
  EXPECT_EQ(source.line_at(5), "two");
  EXPECT_EQ(source.line_at(9), "");
}

TEST(Utf8, FindsTheFirstBadByte) {
  struct {
    std::string_view text;
    std::size_t bad;
  } cases[] = {
      {"", std::string_view::npos},
      {"plain", std::string_view::npos},
      {"\xC3\xB6\xE2\x82\xAC\xF0\x9F\x98\x80", std::string_view::npos},
      {"ab\xFF", 2},
      {"\xC0\x80", 0},          // overlong
      {"\xE0\x80\x80", 0},      // overlong
      {"\xED\xA0\x80", 0},      // surrogate
      {"\xF4\x90\x80\x80", 0},  // beyond U+10FFFF
      {"x\xE2\x82", 1},         // cut off
      {"x\x80", 1},             // continuation alone
  };
  for (const auto& c : cases) EXPECT_EQ(find_invalid_utf8(c.text), c.bad);
}

}  // namespace
}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
#include "lsp/protocol/document_text.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "lsp/protocol/uri.h"

namespace weakspot::lsp::document_text_test {
namespace {

// One, two, three and four bytes; one, one, one and two units of UTF-16.
const std::string kLetters = "a\xC3\xA4\xE2\x82\xAC\xF0\x9D\x84\x9E!";

TEST(DocumentText, CountsUnitsOfTheEncoding) {
  struct Case {
    Encoding encoding;
    std::vector<std::size_t> characters;  // before each letter
  };
  const std::vector<std::size_t> offsets = {0, 1, 3, 6, 10, 11};
  for (const Case& one : {Case{Encoding::utf8, {0, 1, 3, 6, 10, 11}}, Case{Encoding::utf16, {0, 1, 2, 3, 5, 6}},
                          Case{Encoding::utf32, {0, 1, 2, 3, 4, 5}}}) {
    const DocumentText text("x\n" + kLetters, one.encoding);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const TextPosition position{1, one.characters[i]};
      EXPECT_EQ(text.position(2 + offsets[i]), position);
      EXPECT_EQ(text.offset(position), 2 + offsets[i]);
    }
  }
}

TEST(DocumentText, PlacesOutsideAreMovedInside) {
  const DocumentText text("ab\n" + kLetters + "\n", Encoding::utf16);
  EXPECT_EQ(text.offset({0, 99}), 2u);
  EXPECT_EQ(text.offset({99, 0}), text.text().size());
  EXPECT_EQ(text.offset({1, 4}), 3u + 6u);  // within a surrogate pair
  EXPECT_EQ(text.position(9999), (TextPosition{2, 0}));
}

TEST(DocumentText, LineEnds) {
  const DocumentText text("a\r\nb\rc\n\nd");
  EXPECT_EQ(text.line_count(), 5u);
  EXPECT_EQ(text.offset({1, 0}), 3u);
  EXPECT_EQ(text.offset({2, 0}), 5u);
  EXPECT_EQ(text.offset({0, 5}), 1u);
  EXPECT_EQ(text.position(8), (TextPosition{4, 0}));
}

TEST(DocumentText, Edits) {
  DocumentText text("one\ntwo\nthree\n");
  text.replace({{1, 0}, {1, 3}}, "2");
  EXPECT_EQ(text.text(), "one\n2\nthree\n");
  text.replace({{0, 3}, {2, 0}}, " ");
  EXPECT_EQ(text.text(), "one three\n");
  text.replace({{9, 9}, {9, 9}}, "end");
  EXPECT_EQ(text.text(), "one three\nend");
  EXPECT_EQ(text.position(text.text().size()), (TextPosition{1, 3}));
}

TEST(DocumentText, DiagnosticsPointAtWhatTheReaderMeant) {
  const std::string line = "\xC3\xA4\xC3\xA4\t" + kLetters + " word here";
  const base::Source source("m", "first\n" + line + "\n");
  const auto begin = static_cast<std::uint32_t>(source.text().find("word"));
  const base::Diagnostic diagnostic = base::error_at(source, {begin, begin + 4}, "wrong");
  const DocumentText text(std::string(source.text()), Encoding::utf8);
  const TextRange range = text.range(diagnostic);
  EXPECT_EQ(text.offset(range.begin), begin);
  EXPECT_EQ(text.offset(range.end), begin + 4);
}

TEST(Uri, PathsThereAndBack) {
  EXPECT_EQ(path_of("file:///a/b%20c%C3%A4.litmus"), "/a/b c\xC3\xA4.litmus");
  EXPECT_EQ(path_of("file://localhost/a"), "/a");
  EXPECT_EQ(path_of("untitled:Untitled-1"), "");
  EXPECT_EQ(path_of("file://elsewhere/a"), "");
  EXPECT_EQ(path_of("file:///a%00b"), "");
  EXPECT_EQ(path_of("file:///100%"), "/100%");
  for (const std::string path : {"/a/b c", "/\xC3\xA4/%", "/x+y@z.cat"}) EXPECT_EQ(path_of(uri_of(path)), path);
}

}  // namespace
}  // namespace weakspot::lsp::document_text_test

// SPDX-License-Identifier: MIT
#include "lsp/protocol/framing.h"

#include <gtest/gtest.h>

#include <vector>

namespace weakspot::lsp::framing_test {
namespace {

// Messages read from a stream; faults begin with '!'.
std::vector<std::string> items(std::string_view stream, std::size_t piece = 1) {
  FrameReader reader;
  std::vector<std::string> found;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    reader.feed(stream.substr(at, piece));
    while (const auto item = reader.next()) found.push_back((item->fault ? "!" : "") + item->text);
  }
  return found;
}

using Texts = std::vector<std::string>;

TEST(Framing, MessagesInPiecesOfAnySize) {
  const std::string stream = framed("{}") + framed("") + "Content-Type: text\r\ncontent-length:  3 \r\n\r\nabc";
  for (std::size_t piece : {1, 2, 7, 1000}) EXPECT_EQ(items(stream, piece), (Texts{"{}", "", "abc"})) << piece;
}

TEST(Framing, GoesOnAfterABadHeader) {
  const Texts expected = {"!the header has no Content-Length", "{}"};
  EXPECT_EQ(items("Content-Type: x\r\n\r\n" + framed("{}")), expected);
  EXPECT_EQ(items("Content-Length: many\r\n\r\n" + framed("{}")),
            (Texts{"!the header has no valid Content-Length", "{}"}));
  EXPECT_EQ(items("Content-Length: -1\r\n\r\n" + framed("{}")),
            (Texts{"!the header has no valid Content-Length", "{}"}));
  EXPECT_EQ(items("Content-Length: 99999999999999999999999\r\n\r\n" + framed("{}")),
            (Texts{"!the header has no valid Content-Length", "{}"}));
  EXPECT_EQ(items("Content-Length: 1\r\nContent-Length: 2\r\n\r\n" + framed("{}")).front().front(), '!');
}

TEST(Framing, ALengthThatIsTooShortLosesOneMessage) {
  const std::string stream = "Content-Length: 3\r\n\r\n{\"a\":1}" + framed("{}") + framed("[]");
  EXPECT_EQ(items(stream), (Texts{"{\"a", "!the header is malformed; expected 'Content-Length: N'", "{}", "[]"}));
}

TEST(Framing, ALengthThatIsTooLongSwallowsTheBeginningOfTheNext) {
  const std::string stream = "Content-Length: 20\r\n\r\n{}" + framed("{}") + framed("[]") + framed("1");
  const Texts found = items(stream);
  EXPECT_EQ(found.front(), "{}Content-Length: 2\r");
  EXPECT_EQ(found.back(), "1");
}

TEST(Framing, TooLargeMessagesAreSkipped) {
  FrameReader reader;
  const std::size_t size = kLargestMessage + 10;
  reader.feed("Content-Length: " + std::to_string(size) + "\r\n\r\n");
  ASSERT_TRUE(reader.next()->fault);
  const std::string part(1 << 20, 'x');
  for (std::size_t fed = 0; fed < size; fed += part.size()) {
    reader.feed(std::string_view(part).substr(0, std::min(part.size(), size - fed)));
    ASSERT_FALSE(reader.next().has_value());
  }
  reader.feed(framed("{}"));
  EXPECT_EQ(reader.next()->text, "{}");
}

TEST(Framing, AHeaderWithoutAnEndIsGivenUp) {
  const Texts found = items(std::string(10'000, 'x') + framed("{}"), 100);
  EXPECT_EQ(found, (Texts{"!the header does not end", "{}"}));
}

}  // namespace
}  // namespace weakspot::lsp::framing_test

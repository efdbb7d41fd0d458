// SPDX-License-Identifier: MIT
// Completion, scanning, reading and formatting of litmus tests in an editor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "lsp/features/litmus_features.h"
#include "lsp/features/litmus_scan.h"

namespace weakspot::lsp::litmus_features_test {
namespace {

std::string labels(const std::string& text, std::size_t offset) {
  return base::json_line(litmus_completion(DocumentText(text), offset, {}));
}

TEST(LitmusCompletion, OffersWhatTheReaderKnows) {
  const std::string head = "weakspot t\n P0 ;\n ";
  const std::string instructions = labels(head, head.size());
  for (const char* word : {"not", "neg", "mul", "shl", "shr", "lt", "le", "gt", "ge", "blt", "linux.mb", "exists"}) {
    EXPECT_NE(instructions.find('"' + std::string(word) + '"'), std::string::npos) << word;
  }
  const std::string suffixes = labels(head + "atom.", head.size() + 5);
  EXPECT_NE(suffixes.find("\"inc\""), std::string::npos);
  EXPECT_EQ(suffixes.find("\"mov\""), std::string::npos);
}

TEST(LitmusScan, FindsWordsAndComments) {
  const std::string text = "weakspot MP+x (* a (* b *) *)\n P0 ; // c\n ld.acq r0, 0x1F ;\n\"d\"\nC c\n{ (*x) }\n";
  std::string kinds;
  for (const LitmusToken& token : scan_litmus(text)) {
    kinds += fmt::format("{}:{} ", static_cast<int>(token.kind),
                         std::string_view(text).substr(token.span.begin, token.span.end - token.span.begin));
  }
  EXPECT_EQ(kinds, "0:weakspot 1:MP+x 5:(* a (* b *) *) 2:P0 5:// c 2:ld 2:acq 2:r0 3:0x1F 4:\"d\" 0:C 1:c 2:x ");
}

TEST(LitmusScan, EndsOnHostileTexts) {
  for (const char* text : {"(*", "\"", "/*", "//", "C x", "C ", "weakspot ", "\xC3\xA4(*(*", "{\"a\": \"\n"}) {
    for (const LitmusToken& token : scan_litmus(text)) EXPECT_LE(token.span.end, std::string_view(text).size());
  }
}

TEST(LitmusReading, KnowsTheGoodTestsBesideABadOne) {
  const std::string text =
      "weakspot A\n P0 ;\n st x, 1 ;\nexists (x=1)\n\n"
      "weakspot B\n P0 ;\n st x, ;\nexists (x=1)\n\n"
      "weakspot C\n P0 ;\n st y, 1 ;\nexists (y=1)\n";
  const LitmusReading reading = read_litmus(base::Source("t", text));
  EXPECT_FALSE(reading.errors.empty());
  ASSERT_EQ(reading.tests.size(), 2u);
  EXPECT_EQ(reading.at(text.find("y=1"))->test->name, "C");
  EXPECT_EQ(reading.at(text.find("st x, ;")), nullptr);
  const FoundInstruction found = instruction_at(*reading.tests[1].test, text.find("st y") + 1);
  ASSERT_NE(found.instruction, nullptr);
  EXPECT_EQ(found.instruction->span.begin, text.find("st y"));
}

TEST(LitmusFormat, PrintsAlignedAndRefusesToLoseComments) {
  const DocumentText text("weakspot A\n P0|P1;\n st x,1|ld r0,x;\nexists (1:r0=1)\n");
  const auto formatted = formatted_litmus("t", text, read_litmus(base::Source("t", text.text())));
  ASSERT_TRUE(formatted.ok());
  EXPECT_EQ(*formatted, "weakspot A\n P0      | P1       ;\n st x, 1 | ld r0, x ;\nexists (1:r0=1)\n");
  const DocumentText commented("weakspot A (* why *)\n P0 ;\n st x,1 ;\nexists (x=1)\n");
  EXPECT_FALSE(formatted_litmus("t", commented, read_litmus(base::Source("t", commented.text()))).ok());
}

}  // namespace
}  // namespace weakspot::lsp::litmus_features_test

// SPDX-License-Identifier: MIT
// The tables of words are held against the readers, which decide.
#include "lsp/litmus_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lsp/litmus_features.h"
#include "lsp/litmus_scan.h"

namespace weakspot::lsp::litmus_words_test {
namespace {

using litmus::Dialect;

// What a reader says about an instruction that is this word and nothing more.
std::string mistakes_about(std::string_view first_word, std::string_view cell) {
  const base::Source source("t", fmt::format("{} t\n{{ }}\n P0 ;\n {} ;\nexists (true)\n", first_word, cell));
  const auto tests = litmus::read_tests(source);
  return tests ? std::string() : base::messages(tests.errors());
}

TEST(LitmusWords, ReadersKnowTheInstructions) {
  struct Header {
    Dialect dialect;
    std::string_view word;
  };
  for (const Header& header :
       {Header{Dialect::canonical, "weakspot"}, Header{Dialect::ptx, "PTX"}, Header{Dialect::vulkan, "Vulkan"},
        Header{Dialect::aarch64, "AArch64"}, Header{Dialect::x86_64, "X86_64"}, Header{Dialect::riscv, "RISCV"}}) {
    EXPECT_NE(mistakes_about(header.word, "nonsense").find("unknown instruction"), std::string::npos) << header.word;
    for (const LitmusWord& word : words_of(header.dialect)) {
      if (word.kind != LitmusWord::Kind::instruction) continue;
      EXPECT_EQ(mistakes_about(header.word, word.text).find("unknown instruction"), std::string::npos)
          << header.word << ' ' << word.text;
    }
  }
}

TEST(LitmusWords, ReadersKnowTheSuffixes) {
  for (const LitmusWord& word : words_of(Dialect::canonical)) {
    if (word.kind != LitmusWord::Kind::order && word.kind != LitmusWord::Kind::scope) continue;
    const std::string cell = fmt::format("ld.{} r0, x", word.text);
    EXPECT_EQ(mistakes_about("weakspot", cell).find("unknown"), std::string::npos) << cell;
  }
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
}  // namespace weakspot::lsp::litmus_words_test

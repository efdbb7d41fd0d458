// SPDX-License-Identifier: MIT
// Texts while they are typed: every question has an answer at every prefix.
#include <gtest/gtest.h>

#include "base/source.h"
#include "lsp/features/cat_features.h"
#include "lsp/features/litmus_features.h"

namespace weakspot::lsp::prefixes_test {
namespace {

void expect_whole_tokens(const Json& tokens, const DocumentText& text) {
  ASSERT_EQ(tokens.at("data").items().size() % 5, 0u);
  TextPosition at;
  for (std::size_t i = 0; i < tokens.at("data").items().size(); i += 5) {
    const std::uint64_t lines = *tokens.at("data").at(i).whole();
    const std::uint64_t characters = *tokens.at("data").at(i + 1).whole();
    at = {at.line + lines, lines == 0 ? at.character + characters : characters};
    const std::uint64_t length = *tokens.at("data").at(i + 2).whole();
    ASSERT_LT(at.line, text.line_count());
    ASSERT_LE(at.character + length, text.line_range(at.line).end.character);
  }
}

void ask_everything_of_litmus(const std::string& written) {
  const DocumentText text(written);
  const LitmusReading reading = read_litmus(base::Source("t", written));
  litmus_hover(text, reading, written.size());
  litmus_completion(text, written.size(), {"sc"});
  litmus_symbols(text, reading);
  expect_whole_tokens(litmus_tokens(text, reading), text);
}

TEST(Prefixes, OfTests) {
  const std::string texts[] = {
      "weakspot MP\n\"d\xC3\xA4ta\" (* c (* d *) *)\nExpect=sc forbidden\n{ x = 1; }\n P0      | P1 ;\n"
      " st x, 1 | ld.acq.wg r0, y ; // e\nscopes (wg P0) (wg P1)\nexists (1:r0=1 /\\ x=1)\n"
      "C c\n{ }\nP0(atomic_int* x) {\n  atomic_store_explicit(x, 1, memory_order_release);\n}\nexists (x=1)\n",
      "AArch64 A\n{ 0:X1=x; }\n P0 ;\n MOV W0,#1 ;\n STR W0,[X1] ;\nexists (x=1)\n",
      "{\"name\": \"t\", \"threads\": []}",
      "\r\n\rVulkan V\r\n P0@sg 0,wg 0,qf 0 ;\r\n st.atom.dv.sc0 x, 1 ;\r\nexists (x == 1)\r\n"};
  for (const std::string& text : texts) {
    for (std::size_t end = 0; end <= text.size(); ++end) {
      // Half a character is not a text.
      if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) continue;
      ask_everything_of_litmus(text.substr(0, end));
    }
  }
}

TEST(Prefixes, OfModels) {
  const std::string text =
      "\"m\" (* \xE2\x82\xAC *)\n(** Words. *)\nlet f(a, b) = a; b* | [R] // c\nlet rec g = f(g, po)\n"
      "include \"cos.cat\"\nprocedure p(x) = acyclic x as c end\ncall p(g)\nflag ~empty rf \\ 'a as n\n";
  for (std::size_t end = 0; end <= text.size(); ++end) {
    if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) continue;
    const std::string written = text.substr(0, end);
    const DocumentText document(written);
    const model::CatIndex index = model::index_cat(base::Source("m.cat", written));
    const UriOfFile uri_of = [](const model::CatIndex::File& file) { return file.name; };
    cat_hover(document, index, end);
    cat_completion(index, end);
    cat_definition(document, index, end, uri_of);
    CatReferences references(Encoding::utf16, true, uri_of);
    references.add_at(index, end);
    cat_symbols(document, index);
    expect_whole_tokens(cat_tokens(document, index), document);
  }
}

}  // namespace
}  // namespace weakspot::lsp::prefixes_test

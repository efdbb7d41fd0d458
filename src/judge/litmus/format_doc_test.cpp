// SPDX-License-Identifier: MIT
// The manual of the canonical form must be true: its examples are read, its tables are complete.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "litmus/dialect.h"
#include "support/page.h"
#include "support/read_one.h"

namespace weakspot::litmus::format_doc_test {
namespace {

// The contents of the fenced blocks of a Markdown text that are marked `language`.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  const std::string fence = "\n```";
  const std::string opening = fence + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos;) {
    const std::size_t begin = at + opening.size();
    at = text.find(fence, begin - 1);
    if (at == std::string::npos) {
      ADD_FAILURE() << "a block is not closed";
      break;
    }
    found.push_back(text.substr(begin, at + 1 - begin));
    at += fence.size();
  }
  return found;
}

TEST(FormatManual, ExamplesAreRead) {
  const std::vector<std::string> examples = blocks(tests::page_of_docs("litmus-format.md"), "litmus");
  EXPECT_GE(examples.size(), 12u);
  for (const std::string& example : examples) {
    base::Result<std::vector<LitmusTest>> read = read_tests(base::Source("litmus-format.md", example));
    ASSERT_TRUE(read.ok()) << base::render(read.errors()) << example;
    for (const LitmusTest& test : *read) {
      EXPECT_EQ(tests::read_one(*print(test, Dialect::canonical)), test) << example;
    }
  }
}

TEST(FormatManual, EveryWordIsExplained) {
  const std::string text = tests::page_of_docs("litmus-format.md");
  auto expect_word = [&](std::string_view word) {
    EXPECT_NE(text.find("`" + std::string(word) + "`"), std::string::npos) << "the manual has no `" << word << "`";
  };
  auto expect_words = [&](auto first, auto last) {
    for (int value = static_cast<int>(first); value <= static_cast<int>(last); ++value) {
      const std::string_view word = to_string(static_cast<decltype(first)>(value));
      if (!word.empty()) expect_word(word);
    }
  };
  expect_words(Order::plain, Order::seq_cst);
  expect_words(Scope::thread, Scope::system);
  expect_words(Space::none, Space::storage3);
  expect_words(Proxy::generic, Proxy::tensormap);
  expect_words(CacheOp::none, CacheOp::wt);
  expect_words(Type::s8, Type::pred);
  expect_words(Tag::volatile_, Tag::lock);
  expect_words(RmwOp::exch, RmwOp::cas);
  expect_words(ComputeOp::mov, ComputeOp::ge);
  expect_words(Arch::ptx2015, Arch::linux_kernel);
  for (Dialect dialect : kDialects) expect_word(to_string(dialect));
}

}  // namespace
}  // namespace weakspot::litmus::format_doc_test

// SPDX-License-Identifier: MIT
#include "workbench/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/sanitized.h"

namespace weakspot::workbench::corpus_test {
namespace {

TEST(Corpus, PatternsHaveWildcards) {
  EXPECT_TRUE(matches("MP", "MP"));
  EXPECT_FALSE(matches("MP", "MP+rel"));
  EXPECT_TRUE(matches("MP*", "MP"));
  EXPECT_TRUE(matches("MP*", "MP+rel+acq"));
  EXPECT_TRUE(matches("*rel*", "MP+rel+acq"));
  EXPECT_TRUE(matches("?P*q", "MP+rel+acq"));
  EXPECT_TRUE(matches("*a*b*", "xxaxxaxb"));
  EXPECT_FALSE(matches("*a*b", "ba"));
  EXPECT_FALSE(matches("?", ""));
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("**", ""));
}

TEST(Corpus, IsListedByFolderAndPattern) {
  const base::Result<std::vector<CorpusTest>> all = list_corpus({});
  ASSERT_TRUE(all.ok()) << base::render(all.errors());
  EXPECT_GT(all->size(), 400u);
  EXPECT_TRUE(
      std::is_sorted(all->begin(), all->end(), [](const auto& a, const auto& b) { return a.folder < b.folder; }));
  for (std::size_t i = 0; i < all->size(); i += tests::kSampleStep) {
    const CorpusTest& test = (*all)[i];
    EXPECT_EQ(find_in_corpus(test.name), std::vector<std::string>{test.file}) << test.name;
    EXPECT_FALSE(test.description.empty()) << test.name;
    EXPECT_EQ(test.description.find('\n'), std::string::npos) << test.name;
  }
  const base::Result<std::vector<CorpusTest>> classic = list_corpus({"classic/"});
  ASSERT_TRUE(classic.ok());
  for (const CorpusTest& test : *classic) EXPECT_EQ(test.folder, "classic");
  const base::Result<std::vector<CorpusTest>> some = list_corpus({"classic/SB", "classic/MP*", "MP"});
  ASSERT_TRUE(some.ok());
  EXPECT_GT(some->size(), 3u);
  EXPECT_EQ(std::count_if(some->begin(), some->end(), [](const CorpusTest& test) { return test.name == "MP"; }), 1);
}

TEST(Corpus, APatternThatMeansNothingIsAnError) {
  const base::Result<std::vector<CorpusTest>> none = list_corpus({"clasic", "MP", "no*such"});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(base::render(none.errors()),
            "error: no test or folder of the corpus is called 'clasic'; did you mean 'classic'?\n"
            "error: no test or folder of the corpus is called 'no*such'\n");
}

}  // namespace
}  // namespace weakspot::workbench::corpus_test

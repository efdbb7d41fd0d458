// SPDX-License-Identifier: MIT
#include "workbench/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "questions/corpus_names.h"
#include "support/sanitized.h"

namespace weakspot::workbench::corpus_test {
namespace {

TEST(Corpus, IsListedByFolderAndPattern) {
  const base::Result<std::vector<CorpusTest>> all = list_corpus({});
  ASSERT_TRUE(all.ok()) << base::render(all.errors());
  EXPECT_GT(all->size(), 400u);
  EXPECT_TRUE(
      std::is_sorted(all->begin(), all->end(), [](const auto& a, const auto& b) { return a.folder < b.folder; }));
  for (std::size_t i = 0; i < all->size(); i += tests::kSampleStep) {
    const CorpusTest& test = (*all)[i];
    EXPECT_EQ(find_in_corpus(test.name).value(), std::vector<std::string>{test.file}) << test.name;
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

TEST(Corpus, FoldersAndIndicesAreAllTheirFiles) {
  const std::vector<std::string> locks = find_in_corpus("locks").value();
  EXPECT_GT(locks.size(), 5u);
  for (const char* name : {"locks/", "locks/@all", "corpus/locks", "corpus/locks/@all"}) {
    EXPECT_EQ(find_in_corpus(name).value(), locks) << name;
  }
  EXPECT_EQ(find_in_corpus("@all").value(), corpus_files());
  EXPECT_EQ(find_in_corpus("corpus/classic/MP.litmus").value(), find_in_corpus("MP").value());
  for (const char* nothing : {"", "lock", "CoRR", "corpus/CoRR"}) EXPECT_FALSE(find_in_corpus(nothing).ok()) << nothing;
}

// The corpus inside the program equals the one on disk.
TEST(Corpus, TheProgramCarriesIt) {
  const std::vector<std::string> files = corpus_files();
  for (std::size_t i = 0; i < files.size(); i += tests::kSampleStep) {
    const std::filesystem::path path = files[i];
    const std::string carried = "corpus:" + (path.parent_path().filename() / path.filename()).string();
    EXPECT_TRUE(questions::is_carried(carried));
    const auto from_disk = read_input(files[i]), from_program = read_input(carried);
    ASSERT_TRUE(from_disk.ok() && from_program.ok()) << carried;
    EXPECT_EQ(*from_program, *from_disk) << carried;
  }
  EXPECT_FALSE(read_input("corpus:classic/nothing.litmus").ok());
  EXPECT_FALSE(questions::is_carried("corpus/classic/MP.litmus"));
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

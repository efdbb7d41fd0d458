// SPDX-License-Identifier: MIT
#include "questions/corpus_names.h"

#include <gtest/gtest.h>

namespace weakspot::questions::corpus_names_test {
namespace {

using Paths = std::vector<std::string>;

const std::vector<CorpusFile> kFiles = {{"1", "classic", "MP"},
                                        {"2", "classic", "SB"},
                                        {"3", "coherence", "CoRR"},
                                        {"4", "conformance", "CoRR"},
                                        {"5", "conformance/deep", "MP+rel"}};

TEST(CorpusNames, PatternsHaveWildcards) {
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

TEST(CorpusNames, MeanTestsAndFolders) {
  const auto named = [](const std::string& name) { return files_named(name, kFiles, "test").value(); };
  for (const char* name : {"MP", "classic/MP", "classic/MP.litmus", "corpus/classic/MP", "corpus:classic/MP.litmus"}) {
    EXPECT_EQ(named(name), Paths{"1"}) << name;
  }
  for (const char* name : {"conformance", "conformance/", "conformance/@all"}) {
    EXPECT_EQ(named(name), (Paths{"4", "5"})) << name;
  }
  EXPECT_EQ(named("@all").size(), kFiles.size());
}

TEST(CorpusNames, ThatMeanNothingGetAProposal) {
  const auto message = [](const std::string& name) {
    return base::render(files_named(name, kFiles, "test of the corpus").errors());
  };
  EXPECT_EQ(message("clasic"), "clasic: error: there is no such test of the corpus; did you mean 'classic'?\n");
  EXPECT_EQ(message("zzz"), "zzz: error: there is no such test of the corpus\n");
  for (const char* name : {"CoRR", "corpus/CoRR"}) {
    EXPECT_EQ(message(name), std::string(name) +
                                 ": error: several tests of the corpus have this name: "
                                 "coherence/CoRR, conformance/CoRR\n");
  }
}

TEST(CorpusNames, PatternsMeanFoldersAndNames) {
  EXPECT_TRUE(is_meant(kFiles[4], "conformance"));
  EXPECT_TRUE(is_meant(kFiles[4], "MP*"));
  EXPECT_TRUE(is_meant(kFiles[0], "classic/M?"));
  EXPECT_FALSE(is_meant(kFiles[0], "conf"));
  EXPECT_FALSE(is_meant(kFiles[0], ""));
}

TEST(CorpusNames, ATestIsItsTextOrItsName) {
  const base::Result<base::Source> named = text_or_named_test("MP", "test");
  ASSERT_TRUE(named.ok());
  EXPECT_EQ(named->name(), "corpus:classic/MP.litmus");
  EXPECT_TRUE(is_test_text(named->text()));
  EXPECT_EQ(text_or_named_test(std::string(named->text()), "mine").value().name(), "mine");
  EXPECT_EQ(text_or_named_test(R"({"name": "MP"})", "mine").value().text(), R"({"name": "MP"})");
  EXPECT_EQ(base::render(text_or_named_test("MPP", "test").errors()),
            "MPP: error: there is no such test of the corpus; did you mean 'MP'?\n");
  EXPECT_NE(base::render(text_or_named_test("classic", "test").errors()).find("tests; expected one test\n"),
            std::string::npos);
}

}  // namespace
}  // namespace weakspot::questions::corpus_names_test

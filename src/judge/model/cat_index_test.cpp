// SPDX-License-Identifier: MIT
#include "model/cat_index.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "model/cat_names.h"

namespace weakspot::model::cat_index_test {
namespace {

const CatSymbol* symbol_at(const CatIndex& index, std::size_t offset) {
  const CatUse* use = index.use_at(offset);
  return use == nullptr ? nullptr : &index.symbols[use->symbol];
}

TEST(CatIndex, FindsDefinitionsAndUses) {
  const std::string text =
      "\"m\"\n"
      "(** What a thread keeps. *)\n"
      "let ppo = po & loc\n"
      "let f(a) = a; ppo\n"
      "acyclic f(rf) | ppo as main\n";
  const CatIndex index = index_cat(base::Source("m.cat", text));
  EXPECT_TRUE(index.mistakes.empty());
  const CatSymbol* ppo = symbol_at(index, text.rfind("ppo") + 1);
  ASSERT_NE(ppo, nullptr);
  EXPECT_EQ(ppo->kind, CatSymbol::Kind::value);
  EXPECT_EQ(ppo->span.begin, text.find("ppo"));
  EXPECT_EQ(ppo->words, "What a thread keeps.");
  const CatSymbol* a = symbol_at(index, text.find("a; ppo"));
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->kind, CatSymbol::Kind::parameter);
  EXPECT_EQ(a->span.begin, text.find("a)"));
  EXPECT_EQ(symbol_at(index, text.find("f(rf)"))->kind, CatSymbol::Kind::function);
  EXPECT_EQ(symbol_at(index, text.find("rf)"))->kind, CatSymbol::Kind::predefined);
  EXPECT_EQ(symbol_at(index, text.find("main"))->kind, CatSymbol::Kind::check);
  EXPECT_EQ(index.use_at(text.find("acyclic")), nullptr);
}

TEST(CatIndex, ALaterDefinitionHidesAnEarlierOne) {
  const std::string text = "let x = po\nlet y = x\nlet x = rf\nlet z = x\n";
  const CatIndex index = index_cat(base::Source("m.cat", text));
  EXPECT_EQ(symbol_at(index, text.find("x\nlet x"))->span.begin, text.find("x = po"));
  EXPECT_EQ(symbol_at(index, text.rfind('x'))->span.begin, text.find("x = rf"));
}

TEST(CatIndex, LibraryNamesLeadToTheLibrary) {
  const std::string text = "acyclic po-loc | fr\n";
  const CatIndex index = index_cat(base::Source("m.cat", text));
  const CatSymbol* fr = symbol_at(index, text.find("fr"));
  ASSERT_NE(fr, nullptr);
  EXPECT_TRUE(index.files[fr->file].built_in);
  EXPECT_EQ(index.files[fr->file].text.substr(fr->span.begin, 2), "fr");
}

TEST(CatIndex, NamesLeadThroughIncludes) {
  const auto include = [](std::string_view name) -> base::Result<base::Source> {
    if (name == "a.cat") return base::Source("/lib/a.cat", "include \"b.cat\"\nlet here = there\n");
    if (name == "b.cat") return base::Source("/lib/b.cat", "let there = po\n");
    return base::error("there is no such file");
  };
  const std::string text = "include \"a.cat\"\ninclude \"none.cat\"\nacyclic here | there\n";
  const CatIndex index = index_cat(base::Source("m.cat", text), include);
  const CatSymbol* here = symbol_at(index, text.find("here"));
  const CatSymbol* there = symbol_at(index, text.find("there"));
  ASSERT_TRUE(here != nullptr && there != nullptr);
  EXPECT_EQ(index.files[here->file].name, "/lib/a.cat");
  EXPECT_EQ(index.files[there->file].name, "/lib/b.cat");
  ASSERT_EQ(index.includes.size(), 2u);
  EXPECT_EQ(index.files[*index.included_at(3)].name, "/lib/a.cat");
  EXPECT_FALSE(index.includes[1].file.has_value());
}

TEST(CatIndex, FilesThatIncludeEachOtherEnd) {
  const auto include = [](std::string_view name) -> base::Result<base::Source> {
    return base::Source("/lib/" + std::string(name), "include \"a.cat\"\ninclude \"b.cat\"\nlet x = po\n");
  };
  EXPECT_EQ(index_cat(base::Source("m.cat", "include \"a.cat\"\n"), include).files.size(), 4u);
}

TEST(CatIndex, MistakesDoNotHideTheRest) {
  const std::string text = "let a = po |\nlet b = a\nlet = \nprocedure\nlet c = match a with\nacyclic b as check\n";
  const CatIndex index = index_cat(base::Source("m.cat", text));
  EXPECT_FALSE(index.mistakes.empty());
  const CatSymbol* b = symbol_at(index, text.rfind("b as"));
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->span.begin, text.find("b = a"));
}

TEST(CatIndex, EveryPrefixOfATextIsRead) {
  const std::string text =
      "\"m\"\nlet rec f(x, y) = let z = x in fun w -> z | w and g = try f with 0\n"
      "procedure p(a) = acyclic a as c end\ncall p(po) as q\nforall x in {po} do empty x end\n"
      "with o from linearisations(W, 0)\nif variant \"v\" let a = 0 else let a = _ end\n"
      "let m s = match s with {} -> 0 || e ++ r -> e end\nenum t = 'a || 'b\nshow po as q, rf\nunshow q\n";
  for (std::size_t end = 0; end <= text.size(); ++end) {
    const CatIndex index = index_cat(base::Source("m.cat", text.substr(0, end)));
    for (const CatUse& use : index.uses) ASSERT_LE(use.span.end, index.files[use.file].text.size() + 1);
  }
}

TEST(CatNames, MostHaveAMeaning) {
  EXPECT_EQ(predefined_cat_name("po")->kind, CatName::Kind::relation);
  EXPECT_EQ(predefined_cat_name("R")->meaning, "reads, also those of read-modify-writes");
  EXPECT_EQ(predefined_cat_name("domain")->kind, CatName::Kind::function);
  EXPECT_TRUE(predefined_cat_name("TLBI")->always_empty);
  EXPECT_FALSE(predefined_cat_name("nonsense").has_value());
  EXPECT_FALSE(library_meaning("fr").empty());
  std::size_t without = 0;
  for (const CatName& name : predefined_cat_names()) without += name.meaning.empty() ? 1 : 0;
  EXPECT_LT(without * 2, predefined_cat_names().size());
}

}  // namespace
}  // namespace weakspot::model::cat_index_test

// SPDX-License-Identifier: MIT
// The exact texts of messages about mistakes in a model.
#include <gtest/gtest.h>

#include "model/cat_model.h"
#include "model/evaluate/evaluator.h"
#include "support/frames.h"

namespace weakspot::model::cat_errors_test {
namespace {

struct Mistake {
  const char* name;
  const char* text;
  const char* expected;  // rendered
};

class CatMistake : public testing::TestWithParam<Mistake> {};

base::Result<Model> compile(const std::string& text) {
  return Model::compile(base::Source("m.cat", text), [](std::string_view name) -> base::Result<base::Source> {
    if (name == "bad.cat") return base::Source("bad.cat", "let a = po\nlet b = a |\nacyclic a\n");
    if (name == "wrong.cat") return base::Source("wrong.cat", "let wrong = W; po\n");
    if (name == "m.cat") return base::Source("m.cat", "empty not-read-again\n");
    if (name == "again.cat") return base::Source("again.cat", "include \"again.cat\"\nlet again = po\n");
    return base::error("there is no file '" + std::string(name) + "' to include");
  });
}

TEST_P(CatMistake, Reads) {
  const base::Result<Model> model = compile(GetParam().text);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(base::render(model.errors()), GetParam().expected);
}

const Mistake kMistakes[] = {
    {"unknown_name", "acyclic po | rg\n",
     "m.cat:1:14: error: 'rg' is not defined\n acyclic po | rg\n              ^~\n"},
    {"two_unknown_names", "let a = pp; po\nacyclic a | qq\n",
     "m.cat:1:9: error: 'pp' is not defined\n let a = pp; po\n         ^~\n"
     "m.cat:2:13: error: 'qq' is not defined\n acyclic a | qq\n             ^~\n"},
    {"set_and_relation", "acyclic po | W\n",
     "m.cat:1:14: error: '|' has a relation on one side and a set of events on the other\n acyclic po | W\n"
     "              ^\n"},
    {"sequence_of_set", "acyclic W; po\n",
     "m.cat:1:9: error: expected a relation, found a set of events\n acyclic W; po\n         ^\n"},
    {"product_of_relations", "empty po * W\n",
     "m.cat:1:7: error: expected a set of events, found a relation\n empty po * W\n       ^~\n"},
    {"brackets_around_relation", "empty [po]\n",
     "m.cat:1:8: error: expected a set of events, found a relation\n empty [po]\n        ^~\n"},
    {"closure_of_set", "empty (W)+\n",
     "m.cat:1:8: error: expected a relation, found a set of events\n empty (W)+\n        ^\n"},
    {"acyclic_set", "acyclic W as w\n",
     "m.cat:1:9: error: expected a relation, found a set of events\n acyclic W as w\n         ^\n"},
    {"check_of_function", "let f x = x\nempty f\n",
     "m.cat:2:7: error: expected a set or a relation, found a function\n empty f\n       ^\n"},
    {"not_a_function", "empty po(rf)\n",
     "m.cat:1:7: error: expected a function, found a relation\n empty po(rf)\n       ^~~~~~\n"},
    {"too_few_arguments", "let f(a, b) = a | b\nempty f(po)\n",
     "m.cat:2:7: error: expected 2 values, found 1\n empty f(po)\n       ^~~~~\n"},
    {"too_many_arguments", "let f(a, b) = a | b\nempty f(po, rf, co)\n",
     "m.cat:2:7: error: expected 2 values, found 3\n empty f(po, rf, co)\n       ^~~~~~~~~~~~~\n"},
    {"mistake_inside_a_function", "let f x = [x]; po\nempty f(rf)\n",
     "m.cat:1:12: error: expected a set of events, found a relation\n let f x = [x]; po\n            ^\n"},
    {"no_expression", "acyclic\nacyclic po\n",
     "m.cat:2:1: error: expected an expression, found 'acyclic'\n acyclic po\n ^~~~~~~\n"},
    {"parenthesis", "acyclic (po | rf\nempty 0\n",
     "m.cat:2:1: error: expected ')' after the expression in parentheses, found 'empty'\n empty 0\n ^~~~~\n"},
    {"dangling_operator", "let a = po |\n",
     "m.cat:1:13: error: expected an expression, found the end of the file\n let a = po |\n             ^\n"},
    {"not_a_statement", "let a = po\n) acyclic a\n",
     "m.cat:2:1: error: expected a statement, found ')'\n ) acyclic a\n ^\n"},
    {"several_statements", "let = po\nacyclic ;\nshow\n",
     "m.cat:1:5: error: expected a name or '_', found '='\n let = po\n     ^\n"
     "m.cat:2:9: error: expected an expression, found ';'\n acyclic ;\n         ^\n"
     "m.cat:3:5: error: expected an expression, found the end of the file\n show\n     ^\n"},
    {"character", "acyclic po @ rf\n",
     "m.cat:1:12: error: character '@' has no meaning here\n acyclic po @ rf\n            ^\n"},
    {"comment", "acyclic po (* never ends\n",
     "m.cat:1:12: error: this comment does not end\n acyclic po (* never ends\n            ^~\n"},
    {"string", "include \"cos.cat\n",
     "m.cat:1:9: error: this string does not end\n include \"cos.cat\n         ^\n"
     "m.cat:1:8: error: expected the name of a file in quotes, found the end of the file\n include \"cos.cat\n"
     "        ^\n"},
    {"include_missing", "include \"nowhere.cat\"\n",
     "m.cat:1:1: error: there is no file 'nowhere.cat' to include\n include \"nowhere.cat\"\n ^~~~~~~~~~~~~~~~~~~~~\n"},
    {"mistake_in_included_file", "include \"bad.cat\"\nacyclic a\n",
     "bad.cat:3:1: error: expected an expression, found 'acyclic'\n acyclic a\n ^~~~~~~\n"},
    {"type_in_included_file", "include \"wrong.cat\"\nempty wrong\n",
     "wrong.cat:1:13: error: expected a relation, found a set of events\n let wrong = W; po\n             ^\n"},
    {"tag_unknown", "let f t = match t with 'a -> po end\nempty f('a)\n",
     "m.cat:2:9: error: tag 'a is not declared by an 'enum'\n empty f('a)\n         ^~\n"},
    {"match_on_relation", "enum e = 'a\nempty match po with 'a -> rf end\n",
     "m.cat:2:13: error: expected a tag, found a relation\n empty match po with 'a -> rf end\n             ^~\n"},
    {"match_one_clause", "empty match W with || {} -> 0 end\n",
     "m.cat:1:7: error: a match on a set needs two clauses: '{} -> ...' and 'element ++ rest -> ...'\n"
     " empty match W with || {} -> 0 end\n       ^~~~~~~~~~~~~~~~~~~~~~~~~~~\n"},
    {"call_of_relation", "call po(rf)\n",
     "m.cat:1:6: error: expected a procedure, found a relation\n call po(rf)\n      ^~\n"},
    {"with_from_relation", "with x from po\nempty x\n",
     "m.cat:1:13: error: expected a set of relations, found a relation\n with x from po\n             ^~\n"},
    {"linearisations", "with x from linearisations(W)\nempty x\n",
     "m.cat:1:13: error: 'linearisations' takes a set of events and a relation\n with x from linearisations(W)\n"
     "             ^~~~~~~~~~~~~~~~~\n"},
    {"forall_function", "forall x in domain do empty 0 end\n",
     "m.cat:1:13: error: expected a set, found a function\n forall x in domain do empty 0 end\n             ^~~~~~\n"},
    {"unsupported", "empty bisimulation(po, rf)\n",
     "m.cat:1:7: error: 'bisimulation' is not supported\n empty bisimulation(po, rf)\n       ^~~~~~~~~~~~~~~~~~~~\n"},
    {"let_without_in", "empty (let a = po a)\n",
     "m.cat:1:20: error: expected 'in' after the definition inside an expression, found ')'\n empty (let a = po a)\n"
     "                    ^\n"},
    {"include_inside", "procedure p() = include \"cos.cat\" end\n",
     "m.cat:1:17: error: 'include' can only stand at the top of a file\n procedure p() = include \"cos.cat\" end\n"
     "                 ^~~~~~~~~~~~~~~~~\n"},
    {"recursion_shrinks", "let rec r = po \\ r\nacyclic r\n",
     "m.cat:1:18: error: 'r' is negated in its own definition; expected no '~' or '\\' before it\n"
     " let rec r = po \\ r\n                  ^\n"},
    {"no_statement", "(* nothing *)\n",
     "m.cat:1:1: error: this file is not a model: it has no statements\n (* nothing *)\n ^\n"},
    {"recursion_takes_itself_apart", "let rec r = match r with || {} -> po || e ++ s -> s end\nempty r\n",
     "m.cat:1:19: error: a recursive definition cannot take its own value apart\n"
     " let rec r = match r with || {} -> po || e ++ s -> s end\n                   ^\n"},
};

INSTANTIATE_TEST_SUITE_P(All, CatMistake, testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(CatMistakes, UnusedDefinitionsGiveWarnings) {
  const base::Result<Model> model =
      compile("let a = no-such-name\nlet b = try no-such-name with 0\nshow no-name\nempty b\n");
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->warnings().size(), 1u);
  EXPECT_EQ(model->warnings()[0].message, "'no-such-name' is not defined");
  EXPECT_EQ(model->warnings()[0].position.line, 1u);
}

TEST(CatMistakes, AFileMayIncludeItself) {
  const base::Result<Model> model = compile("include \"again.cat\"\nacyclic again\n");
  EXPECT_TRUE(model.ok());
}

TEST(CatMistakes, AModelMayIncludeWhatIncludesIt) { EXPECT_TRUE(compile("include \"m.cat\"\nacyclic po\n").ok()); }

// Twice negated is not negated; what a function does with its argument is its own business.
TEST(CatMistakes, RecursionMayNegateTwice) {
  EXPECT_TRUE(compile("let rec r = po | rf \\ ~r\nacyclic r\n").ok());
  EXPECT_TRUE(compile("let f x = po \\ x\nlet rec r = po | f(r)\nacyclic po\n").ok());
}

TEST(CatMistakes, DeepNestingIsRefused) {
  for (const char* text : {"(", "~", "[", "{", "let a = ", "match ", "if \"x\" then ", "fun x -> "}) {
    std::string nested = "acyclic ";
    for (int i = 0; i < 50'000; ++i) nested += text;
    const base::Result<Model> model = compile(nested);
    EXPECT_FALSE(model.ok()) << text;
  }
}

TEST(CatMistakes, ManyMistakesAreCut) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "acyclic unknown" + std::to_string(i) + "\n";
  EXPECT_EQ(compile(text).errors().size(), 20u);
}

// Work that grows without bound is refused, not done.
TEST(CatMistakes, ExplosionsAreRefused) {
  std::string doubling = "let f0 r = r; r\n";
  for (int i = 1; i < 40; ++i) {
    doubling +=
        "let f" + std::to_string(i) + " r = f" + std::to_string(i - 1) + " r | f" + std::to_string(i - 1) + "(r; r)\n";
  }
  const base::Result<Model> exploding = compile(doubling + "empty f39 po\n");
  EXPECT_FALSE(exploding.ok());
  const base::Result<Model> endless = compile("let rec f x = f (x; po)\nempty f po\n");
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.errors()[0].message, "this recursion goes too deep");
}

TEST(CatMistakes, ProblemsOfAFrameAreReported) {
  // Needs the frame to be built, and then fails.
  const base::Result<Model> model =
      compile("let rec f s = match s with || {} -> fail(0) || e ++ r -> f r end\nempty f W\n");
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  const tests::TestFrame frame = tests::frame_of("weakspot t\n P0 ;\n st x, 1 ;\n");
  Evaluator evaluator(*model);
  evaluator.begin(frame.frame);
  ASSERT_TRUE(evaluator.problem().has_value());
  EXPECT_EQ(evaluator.problem()->message, "'fail' was called");
}

}  // namespace
}  // namespace weakspot::model::cat_errors_test

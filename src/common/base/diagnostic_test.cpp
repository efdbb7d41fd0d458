// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <gtest/gtest.h>

#include "base/result.h"
#include "base/source.h"

namespace weakspot::base {
namespace {

TEST(Diagnostic, PointsAtTheSpan) {
  const Source source("mp.litmus", "weakspot MP\n ld.foo r0, x ;\n");
  EXPECT_EQ(render(error_at(source, {16, 19}, "unknown suffix '.foo'")),
            "mp.litmus:2:5: error: unknown suffix '.foo'\n"
            "  ld.foo r0, x ;\n"
            "     ^~~\n");
}

TEST(Diagnostic, ATabTakesOneColumn) {
  const Source source("a", "\tx\ty");
  EXPECT_EQ(render(error_at(source, {3, 4}, "m")), "a:1:4: error: m\n  x y\n    ^\n");
}

TEST(Diagnostic, ControlCharactersAreWrittenOut) {
  const Source source("a\x1B", "x\x1B[2Jy \x9B");
  EXPECT_EQ(render(error_at(source, {5, 6}, "unknown name '\x07'")),
            "a\\x1b:1:6: error: unknown name '\\x07'\n x\\x1b[2Jy \\x9b\n         ^\n");
  EXPECT_EQ(render(error_at(source, {1, 2}, "m")), "a\\x1b:1:2: error: m\n x\\x1b[2Jy \\x9b\n  ^~~~\n");
}

TEST(Diagnostic, TheCaretStandsUnderWideCharacters) {
  const Source source("a", "\xCE\xA9 \xE6\x97\xA5\xE6\x9C\xAC x");
  EXPECT_EQ(render(error_at(source, {10, 11}, "m")),
            "a:1:6: error: m\n \xCE\xA9 \xE6\x97\xA5\xE6\x9C\xAC x\n        ^\n");
  EXPECT_EQ(render(error_at(source, {3, 9}, "m")), "a:1:3: error: m\n \xCE\xA9 \xE6\x97\xA5\xE6\x9C\xAC x\n   ^~~~\n");
}

TEST(Diagnostic, AStyleSurroundsTheWordAndTheCaret) {
  const Source source("a", "abc");
  EXPECT_EQ(
      render(Diagnostics{error_at(source, {1, 3}, "m"), error("n")}, {.error = "<e>", .caret = "<c>", .end = "</>"}),
      "a:1:2: <e>error:</> m\n abc\n  <c>^~</>\n<e>error:</> n\n");
}

TEST(Diagnostic, ASpanOverSeveralLinesIsCutAtTheFirst) {
  const Source source("a", "{ abc\ndef }");
  EXPECT_EQ(render(error_at(source, {0, 11}, "m")), "a:1:1: error: m\n { abc\n ^~~~~\n");
}

TEST(Diagnostic, AnEmptySpanAtTheEndHasACaret) {
  const Source source("a", "abc");
  EXPECT_EQ(render(error_at(source, {3, 3}, "m")), "a:1:4: error: m\n abc\n    ^\n");
}

TEST(Diagnostic, LongLinesAreClippedAroundTheSpan) {
  const Source source("a", std::string(10'000'000, 'x') + "!" + std::string(1000, 'y'));
  const Diagnostic diagnostic = error_at(source, {10'000'000, 10'000'001}, "m");
  EXPECT_EQ(diagnostic.position.column, 10'000'001u);
  EXPECT_LT(diagnostic.excerpt.size(), 120u);
  EXPECT_EQ(diagnostic.excerpt[diagnostic.caret], '!');
  EXPECT_TRUE(diagnostic.excerpt.starts_with("..."));
  EXPECT_TRUE(diagnostic.excerpt.ends_with("..."));
}

TEST(Diagnostic, WithoutAPlace) {
  EXPECT_EQ(render(error("no device")), "error: no device\n");
  EXPECT_EQ(render(error_in("f", "cannot open")), "f: error: cannot open\n");
}

TEST(Diagnostic, IsBadInputUnlessSaidOtherwise) {
  EXPECT_EQ(error("no").kind, ErrorKind::bad_input);
  EXPECT_EQ(error_at(Source("f", "x"), {0, 1}, "no").kind, ErrorKind::bad_input);
  EXPECT_EQ(error_in("f", "disk is full", ErrorKind::environment).kind, ErrorKind::environment);
}

TEST(Diagnostic, TheFirstErrorGivesTheKind) {
  const Diagnostics errors = {error("gone", ErrorKind::device), error("so it is not written")};
  EXPECT_EQ(kind_of(errors), ErrorKind::device);
  EXPECT_EQ(of_kind(ErrorKind::cancelled, errors)[1].kind, ErrorKind::cancelled);
}

TEST(Diagnostic, ARefusalKeepsItsParts) {
  using Of = Refusal::Of;
  const Refusal written{Of::writing, "MP", "C11", "C11 has no clusters"};
  EXPECT_EQ(error(written).message, "MP cannot be written as C11: C11 has no clusters");
  EXPECT_EQ(error(written).refusal->reason, "C11 has no clusters");
  EXPECT_EQ(error(Refusal{Of::running, "MP", "", "no clusters"}).message, "MP: cannot run: no clusters");
  EXPECT_EQ(without_test({Of::running, "MP", "", "no clusters"}), "no clusters");
  EXPECT_EQ(error(Refusal{Of::running, "MP", "weaken=scope", "no scopes"}).message,
            "MP: cannot run with weaken=scope: no scopes");
  EXPECT_EQ(without_test({Of::running, "MP", "weaken=scope", "no scopes"}), "cannot run with weaken=scope: no scopes");
}

TEST(Result, ErrorsGetAKind) {
  EXPECT_EQ(*of_kind(ErrorKind::device, Result<int>(3)), 3);
  EXPECT_EQ(kind_of(of_kind(ErrorKind::device, Result<int>(error("no"))).errors()), ErrorKind::device);
}

TEST(Result, HoldsAValueOrErrors) {
  Result<int> good = 3;
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 3);
  EXPECT_TRUE(good.errors().empty());
  Result<int> bad = error("no");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.errors().at(0).message, "no");
  EXPECT_DEATH((void)*bad, "does not hold");
}

}  // namespace
}  // namespace weakspot::base

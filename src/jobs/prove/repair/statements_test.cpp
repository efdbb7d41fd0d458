// SPDX-License-Identifier: MIT
#include "prove/repair/statements.h"

#include <gtest/gtest.h>

#include <string>

namespace weakspot::prove::statements_test {
namespace {

std::string statement_at(std::string_view text, std::string_view sign) {
  const Statements statements(text);
  const std::optional<std::size_t> at = statements.at(text.find(sign));
  if (!at) return "none";
  return std::string(text.substr(statements[*at].begin, statements[*at].end - statements[*at].begin));
}

TEST(Statements, InnermostOnesAreFound) {
  constexpr std::string_view kText = R"(// f(a); comment
#define LOOP do { f(); } while (0)
struct S { int x = 1; };
__global__ void k(int* p) {
  if (p[0] == 1) p[1] = 2; else { p[2] = 3; }
  while (p[3] == 0) {
  }
  for (int i = 0; i < 3; ++i) p[4] += i;
  do { p[5] = 1; } while (p[6]);
  switch (p[7]) { case 1: p[8] = f({1, 2}); break; default: p[9] = ';'; }
  again: p[10] = 1;
}
)";
  EXPECT_EQ(statement_at(kText, "p[1]"), "p[1] = 2;");
  EXPECT_EQ(statement_at(kText, "p[0]"), "if (p[0] == 1) p[1] = 2; else { p[2] = 3; }");
  EXPECT_EQ(statement_at(kText, "p[2]"), "p[2] = 3;");
  EXPECT_EQ(statement_at(kText, "p[3]"), "while (p[3] == 0) {\n  }");
  EXPECT_EQ(statement_at(kText, "p[4]"), "p[4] += i;");
  EXPECT_EQ(statement_at(kText, "p[6]"), "do { p[5] = 1; } while (p[6]);");
  EXPECT_EQ(statement_at(kText, "p[8]"), "p[8] = f({1, 2});");
  EXPECT_EQ(statement_at(kText, "p[9]"), "p[9] = ';';");
  EXPECT_EQ(statement_at(kText, "p[10]"), "p[10] = 1;");
  EXPECT_EQ(statement_at(kText, "int x"), "none");
  EXPECT_EQ(statement_at(kText, "comment"), "none");
}

TEST(Statements, KernelsAreToldFromFunctions) {
  const Statements statements("__device__ void f() { g(); }\n__global__ void k() { h(); }\n");
  ASSERT_EQ(statements.size(), 4u);
  EXPECT_FALSE(statements[0].kernel);
  EXPECT_TRUE(statements[2].kernel);
  EXPECT_EQ(statements.body_of(3), 2u);
}

TEST(Statements, APragmaStaysWithItsLoop) {
  constexpr std::string_view kText = "void f() {\n#pragma unroll\n  for (;;) {\n  }\n}\n";
  const Statements statements(kText);
  const std::size_t loop = *statements.at(kText.find("for"));
  EXPECT_EQ(statements[loop].front, kText.find("#pragma"));
  EXPECT_EQ(statements[loop].begin, kText.find("for"));
}

TEST(Statements, WhatDoesNotEndIsReadToItsEnd) {
  for (const std::string_view text : {"void f() {", "void f() { if (", "void f() { do", "void f() { if (x) a; else",
                                      "void f() { \"", "void f() { R\"(", "void f() { case 1", "void f() { x = {"}) {
    const Statements statements(text);
    EXPECT_GE(statements.size(), 1u) << text;
  }
}

}  // namespace
}  // namespace weakspot::prove::statements_test

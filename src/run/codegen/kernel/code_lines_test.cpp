// SPDX-License-Identifier: MIT
#include "codegen/kernel/code_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/source.h"
#include "codegen/test_program.h"
#include "support/corpus_tests.h"

namespace weakspot::codegen::code_lines_test {
namespace {

TEST(CodeLines, MarksLeaveTheTextAndSayWhoseLinesTheyWere) {
  const std::string marked =
      "a\n" + origin_mark({{{0, 2}}}) + "b\nc\n" + origin_mark({}) + "d\n" + origin_mark({{{12, 34}}}) + "e";
  std::vector<CodeLine> lines;
  EXPECT_EQ("a\nb\nc\nd\ne", without_marks(marked, &lines));
  EXPECT_EQ((std::vector<CodeLine>{{2, 0, 2}, {3, 0, 2}, {5, 12, 34}}), lines);
  EXPECT_EQ("", without_marks("", &lines));
}

// In every language, for every test: an instruction that touches memory has lines, and no line is of two instructions.
TEST(CodeLines, EachInstructionHasItsOwn) {
  std::size_t checked = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", 3)) {
    for (const Target target : {Target::wgsl, Target::ptx, Target::opencl}) {
      const base::Result<TestProgram> compiled =
          TestProgram::compile(test, *parse_environment(base::Source("--env", "basic")), target, {});
      if (!compiled) continue;
      const std::vector<CodeLine>& lines = compiled->program().lines;
      for (std::size_t thread = 0; thread < test.threads.size(); ++thread) {
        for (std::size_t number = 0; number < test.threads[thread].instructions.size(); ++number) {
          if (litmus::access_of(test.threads[thread].instructions[number]) == nullptr) continue;
          const auto is_own = [&](const CodeLine& line) { return line.thread == thread && line.instruction == number; };
          EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), is_own)) << test.name << " " << thread << "." << number;
        }
      }
      const auto not_ascending = [](const CodeLine& one, const CodeLine& next) { return one.line >= next.line; };
      EXPECT_EQ(lines.end(), std::adjacent_find(lines.begin(), lines.end(), not_ascending)) << test.name;
      EXPECT_EQ(std::string::npos, compiled->program().text.find('\x01')) << test.name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 200u);
}

}  // namespace
}  // namespace weakspot::codegen::code_lines_test

// SPDX-License-Identifier: MIT
#include "workbench/judging.h"

#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/text.h"

namespace weakspot::workbench::judging_test {
namespace {

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

// The classes of all outcomes that some set holds, "outcome class" each.
std::vector<std::string> classes(const litmus::LitmusTest& test, const stats::Expected& expected) {
  std::vector<std::string> lines;
  for (const litmus::Outcome& outcome : expected.allowed.outcomes) {
    lines.push_back(litmus::outcome_text(test, outcome) + " " +
                    std::string(stats::to_string(classify(expected, outcome))));
  }
  return lines;
}

constexpr const char* kMp = "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n";

TEST(Judging, DividesTheOutcomesOfMessagePassing) {
  const litmus::LitmusTest test = read(std::string(kMp) + "exists (1:r0=1 /\\ 1:r1=0)\n");
  const base::Result<stats::Expected> expected = Judging().expected(test, nullptr);
  ASSERT_TRUE(expected.ok()) << base::render(expected.errors());
  EXPECT_EQ("rel-acq", expected->model);
  EXPECT_EQ((std::vector<std::string>{"1:r0=0; 1:r1=0; sequential", "1:r0=0; 1:r1=1; interleaved",
                                      "1:r0=1; 1:r1=0; weak", "1:r0=1; 1:r1=1; sequential"}),
            classes(test, *expected));
}

TEST(Judging, AnotherModelForbids) {
  const litmus::LitmusTest test = read(std::string(kMp) + "exists (1:r0=1 /\\ 1:r1=0)\n");
  const base::Result<stats::Expected> expected = Judging("tso").expected(test, nullptr);
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(stats::OutcomeClass::forbidden, classify(*expected, {litmus::integer(1), litmus::integer(0)}));
}

TEST(Judging, WhatAFilterHidesIsJudgedAllTheSame) {
  const litmus::LitmusTest test = read(std::string(kMp) + "filter (1:r0=1)\nexists (1:r1=0)\n");
  const base::Result<stats::Expected> expected = Judging().expected(test, nullptr);
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, {litmus::integer(0), litmus::integer(0)}));
}

// Three threads: sequential means some order of all of them, even where each pair alone could be ordered.
TEST(Judging, WholeThreadsInSomeOrder) {
  const litmus::LitmusTest test = read(
      "weakspot WRC\n P0 | P1 | P2 ;\n st x, 1 | ld r0, x | ld r0, y ;\n | st y, 1 | ld r1, x ;\n"
      "exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)\n");
  const base::Result<stats::Expected> expected = Judging("sc").expected(test, nullptr);
  ASSERT_TRUE(expected.ok());
  auto outcome = [](int a, int b, int c) {
    return litmus::Outcome{litmus::integer(a), litmus::integer(b), litmus::integer(c)};
  };
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, outcome(1, 1, 1)));
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, outcome(0, 1, 0)));
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, outcome(1, 0, 0)));
  EXPECT_EQ(stats::OutcomeClass::forbidden, classify(*expected, outcome(1, 1, 0)));
}

TEST(Judging, ATestThatTheModelCallsAMistakeIsUnknown) {
  const litmus::LitmusTest test =
      read("C race\n{}\nP0 (int *x) { *x = 1; }\nP1 (int *x) { int r0 = *x; }\nexists (1:r0=1)\n");
  const base::Result<stats::Expected> expected = Judging().expected(test, nullptr);
  ASSERT_TRUE(expected.ok());
  EXPECT_FALSE(expected->allowed.complete);
  EXPECT_NE(std::string::npos, expected->remark.find("any outcome may be allowed")) << expected->remark;
  EXPECT_EQ(stats::OutcomeClass::unknown, classify(*expected, {litmus::integer(7)}));
}

TEST(Judging, AModelThatIsNotThere) {
  const base::Result<stats::Expected> expected =
      Judging("no-such").expected(read(std::string(kMp) + "exists (x=1)\n"), nullptr);
  ASSERT_FALSE(expected.ok());
  EXPECT_EQ("error: there is no model 'no-such'; 'weakspot models' lists them\n", base::render(expected.errors()));
}

}  // namespace
}  // namespace weakspot::workbench::judging_test

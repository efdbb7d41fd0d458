// SPDX-License-Identifier: MIT
#include "questions/expected_outcomes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/text.h"

namespace weakspot::questions::expected_outcomes_test {
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

TEST(ExpectedOutcomes, DividesTheOutcomesOfMessagePassing) {
  const litmus::LitmusTest test = read(std::string(kMp) + "exists (1:r0=1 /\\ 1:r1=0)\n");
  const base::Result<stats::Expected> expected = ExpectedOutcomes().of(test, nullptr);
  ASSERT_TRUE(expected.ok()) << base::render(expected.errors());
  EXPECT_EQ("rel-acq", expected->model);
  EXPECT_EQ((std::vector<std::string>{"1:r0=0; 1:r1=0; sequential", "1:r0=0; 1:r1=1; interleaved",
                                      "1:r0=1; 1:r1=0; weak", "1:r0=1; 1:r1=1; sequential"}),
            classes(test, *expected));
}

TEST(ExpectedOutcomes, AnotherModelForbids) {
  const litmus::LitmusTest test = read(std::string(kMp) + "exists (1:r0=1 /\\ 1:r1=0)\n");
  const base::Result<stats::Expected> expected = ExpectedOutcomes("tso").of(test, nullptr);
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(stats::OutcomeClass::forbidden, classify(*expected, {litmus::integer(1), litmus::integer(0)}));
}

TEST(ExpectedOutcomes, WhatAFilterHidesIsJudgedAllTheSame) {
  const litmus::LitmusTest test = read(std::string(kMp) + "filter (1:r0=1)\nexists (1:r1=0)\n");
  const base::Result<stats::Expected> expected = ExpectedOutcomes().of(test, nullptr);
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, {litmus::integer(0), litmus::integer(0)}));
}

// Three threads: sequential means some order of all of them, even where each pair alone could be ordered.
TEST(ExpectedOutcomes, WholeThreadsInSomeOrder) {
  const litmus::LitmusTest test = read(
      "weakspot WRC\n P0 | P1 | P2 ;\n st x, 1 | ld r0, x | ld r0, y ;\n | st y, 1 | ld r1, x ;\n"
      "exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)\n");
  const base::Result<stats::Expected> expected = ExpectedOutcomes("sc").of(test, nullptr);
  ASSERT_TRUE(expected.ok());
  auto outcome = [](int a, int b, int c) {
    return litmus::Outcome{litmus::integer(a), litmus::integer(b), litmus::integer(c)};
  };
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, outcome(1, 1, 1)));
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, outcome(0, 1, 0)));
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, outcome(1, 0, 0)));
  EXPECT_EQ(stats::OutcomeClass::forbidden, classify(*expected, outcome(1, 1, 0)));
}

TEST(ExpectedOutcomes, ATestThatTheModelCallsAMistakeIsUnknown) {
  const litmus::LitmusTest test =
      read("C race\n{}\nP0 (int *x) { *x = 1; }\nP1 (int *x) { int r0 = *x; }\nexists (1:r0=1)\n");
  const base::Result<stats::Expected> expected = ExpectedOutcomes().of(test, nullptr);
  ASSERT_TRUE(expected.ok());
  EXPECT_FALSE(expected->allowed.complete);
  EXPECT_NE(std::string::npos, expected->remark.find("any outcome may be allowed")) << expected->remark;
  EXPECT_EQ(stats::OutcomeClass::unknown, classify(*expected, {litmus::integer(7)}));
}

Platform arm(bool rcpc) {
  Platform info;
  info.target = codegen::Target::cpu;
  info.limits.cpu = {codegen::CpuIsa::aarch64, true, rcpc};
  return info;
}

// A release store and an acquire load of other locations stay in order only where the load is LDAR.
TEST(ExpectedOutcomes, ByTheOrdersThatTheProcessorGot) {
  const litmus::LitmusTest test = read(
      "weakspot SB\n P0 | P1 ;\n st.rel x, 1 | st.rel y, 1 ;\n ld.acq r0, y | ld.acq r0, x ;\n"
      "exists (0:r0=0 /\\ 1:r0=0)\n");
  ExpectedOutcomes outcomes;
  const std::pair<bool, stats::OutcomeClass> cases[] = {{true, stats::OutcomeClass::weak},
                                                        {false, stats::OutcomeClass::forbidden}};
  for (const auto& [rcpc, outcome_class] : cases) {
    const Platform device = arm(rcpc);
    const base::Result<stats::Expected> expected = outcomes.of(test, &device);
    ASSERT_TRUE(expected.ok()) << base::render(expected.errors());
    EXPECT_EQ("aarch64", expected->model);
    EXPECT_EQ(outcome_class, classify(*expected, {litmus::integer(0), litmus::integer(0)}));
  }
  // By another model, the test as it is written.
  const Platform device = arm(true);
  EXPECT_EQ(stats::OutcomeClass::weak,
            classify(*ExpectedOutcomes("c11").of(test, &device), {litmus::integer(0), litmus::integer(0)}));
}

// One of the two is a mistake of ours: what they disagree about is not judged, and a person hears of it, once.
TEST(ExpectedOutcomes, AContradictionOfExpectIsSaid) {
  const litmus::LitmusTest wrong =
      read(std::string("weakspot MP\nExpect=tso allowed\n") + (kMp + 12) + "exists (1:r0=1 /\\ 1:r1=0)\n");
  ExpectedOutcomes outcomes("tso");
  for (int time = 0; time < 2; ++time) {
    const base::Result<stats::Expected> expected = outcomes.of(wrong, nullptr);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(stats::OutcomeClass::unknown, classify(*expected, {litmus::integer(1), litmus::integer(0)}, true));
    EXPECT_EQ(stats::OutcomeClass::sequential, classify(*expected, {litmus::integer(1), litmus::integer(1)}, false));
    EXPECT_EQ(stats::OutcomeClass::forbidden, classify(*expected, {litmus::integer(7), litmus::integer(7)}, false));
    EXPECT_EQ("the condition is not judged: the line Expect says that tso allows the outcome, and the model forbids it",
              expected->remark);
  }
  EXPECT_EQ("error: MP: the line Expect says that tso allows the outcome, and the model forbids it\n",
            base::render(outcomes.problems()));

  const litmus::LitmusTest right =
      read(std::string("weakspot MP\nExpect=tso forbidden\n") + (kMp + 12) + "exists (1:r0=1 /\\ 1:r1=0)\n");
  ExpectedOutcomes fine("tso");
  EXPECT_EQ(stats::OutcomeClass::forbidden,
            classify(*fine.of(right, nullptr), {litmus::integer(1), litmus::integer(0)}));
  EXPECT_TRUE(fine.problems().empty());
}

// The condition names two outcomes. The model allows one; both the model and the Expect line forbid the other.
TEST(ExpectedOutcomes, AContradictionConcernsOnlyWhatIsDisputed) {
  const litmus::LitmusTest wrong = read(std::string("weakspot MP\nExpect=tso forbidden\n") + (kMp + 12) +
                                        "exists (1:r0=1 /\\ 1:r1=0 \\/ 1:r0=0 /\\ 1:r1=0)\n");
  const base::Result<stats::Expected> expected = ExpectedOutcomes("tso").of(wrong, nullptr);
  ASSERT_TRUE(expected.ok());
  auto class_of = [&](int a, int b) {
    const litmus::Outcome outcome{litmus::integer(a), litmus::integer(b)};
    return classify(*expected, outcome, litmus::satisfies(wrong, outcome));
  };
  EXPECT_EQ(stats::OutcomeClass::unknown, class_of(0, 0));
  EXPECT_EQ(stats::OutcomeClass::forbidden, class_of(1, 0));
  EXPECT_EQ(stats::OutcomeClass::interleaved, class_of(0, 1));
  EXPECT_EQ(stats::OutcomeClass::sequential, class_of(1, 1));
}

TEST(ExpectedOutcomes, RelAcqDoesNotJudgeWhatItDoesNotKnow) {
  const std::pair<const char*, const char*> cases[] = {
      {" st.wg x, 1 | ld r0, x ;\n", "rel-acq has no scopes, and 'wg' does not reach every thread"},
      {" st x, 1 | ld r0, x ;\n fence.acqrel.wg | ;\n", "rel-acq has no scopes, and 'wg' does not reach every thread"},
      {" st x, 1 | ld r0, x ;\n fence.sc | ;\n", "rel-acq has no sequentially consistent fences"},
      {" st x, 1 | ld.sc r0, x ;\n", "rel-acq has no sequentially consistent accesses"},
  };
  for (const auto& [cells, why] : cases) {
    ExpectedOutcomes outcomes("rel-acq");
    const base::Result<stats::Expected> expected =
        outcomes.of(read(std::string("weakspot T\n P0 | P1 ;\n") + cells + "exists (1:r0=1)\n"), nullptr);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(stats::OutcomeClass::unknown, classify(*expected, {litmus::integer(1)})) << cells;
    EXPECT_EQ(fmt::format("error: T: {}\n", why), base::render(outcomes.problems()));
  }
  // A scope that reaches every thread of the test is as good as none.
  ExpectedOutcomes outcomes("rel-acq");
  const litmus::LitmusTest together =
      read("weakspot T\n P0 | P1 ;\n st.rel.wg x, 1 | ld.acq.wg r0, x ;\nscopes (wg P0 P1)\nexists (1:r0=1)\n");
  EXPECT_EQ(stats::OutcomeClass::sequential, classify(*outcomes.of(together, nullptr), {litmus::integer(1)}));
  EXPECT_TRUE(outcomes.problems().empty());
}

TEST(ExpectedOutcomes, AModelThatIsNotThere) {
  const base::Result<stats::Expected> expected =
      ExpectedOutcomes("no-such").of(read(std::string(kMp) + "exists (x=1)\n"), nullptr);
  ASSERT_FALSE(expected.ok());
  EXPECT_EQ("error: there is no model 'no-such'; 'weakspot models' lists them\n", base::render(expected.errors()));
}

}  // namespace
}  // namespace weakspot::questions::expected_outcomes_test

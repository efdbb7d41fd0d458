// SPDX-License-Identifier: MIT
#include "stats/outcome_class.h"

#include <gtest/gtest.h>

namespace weakspot::stats {
namespace {

litmus::Outcome outcome(int value) { return {litmus::integer(value)}; }

Reachable reachable(std::initializer_list<int> values, bool complete = true) {
  Reachable set{{}, complete};
  for (const int value : values) set.outcomes.insert(outcome(value));
  return set;
}

Expected nested() { return {"m", reachable({1}), reachable({1, 2}), reachable({1, 2, 3}), ""}; }

TEST(OutcomeClass, ComesFromTheSmallestSetThatHoldsTheOutcome) {
  EXPECT_EQ(OutcomeClass::sequential, classify(nested(), outcome(1)));
  EXPECT_EQ(OutcomeClass::interleaved, classify(nested(), outcome(2)));
  EXPECT_EQ(OutcomeClass::weak, classify(nested(), outcome(3)));
  EXPECT_EQ(OutcomeClass::forbidden, classify(nested(), outcome(4)));
}

TEST(OutcomeClass, TheModelDecidesFirst) {
  Expected expected = nested();
  expected.allowed = reachable({2});
  EXPECT_EQ(OutcomeClass::forbidden, classify(expected, outcome(1)));
}

TEST(OutcomeClass, WhatDependsOnAMissingPartIsUnknown) {
  struct Case {
    bool sequential, consistent, allowed;
    OutcomeClass classes[4];  // by outcome, from 1 to 4
  };
  using enum OutcomeClass;
  const Case cases[] = {
      {false, true, true, {sequential, unknown, weak, forbidden}},
      {true, false, true, {sequential, interleaved, unknown, forbidden}},
      {true, true, false, {sequential, interleaved, weak, unknown}},
      {false, false, false, {sequential, unknown, unknown, unknown}},
  };
  for (const Case& c : cases) {
    Expected expected = nested();
    expected.sequential.complete = c.sequential;
    expected.consistent.complete = c.consistent;
    expected.allowed.complete = c.allowed;
    for (int i = 1; i <= 4; ++i) EXPECT_EQ(c.classes[i - 1], classify(expected, outcome(i))) << i;
  }
}

TEST(OutcomeClass, NamesReadBack) {
  for (const OutcomeClass c : kOutcomeClasses) EXPECT_EQ(c, outcome_class_named(to_string(c)));
  EXPECT_EQ(std::nullopt, outcome_class_named("odd"));
}

}  // namespace
}  // namespace weakspot::stats

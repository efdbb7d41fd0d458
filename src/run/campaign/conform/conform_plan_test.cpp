// SPDX-License-Identifier: MIT
#include "campaign/conform_plan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weakspot::campaign {
namespace {

PlanGoal goal(double budget) { return {.target = 0.95, .budget = budget, .least = 0.01}; }  // three kills

double planned_seconds(const PlannedTest& plan) {
  double sum = 0;
  for (const PlannedPart& part : plan.parts) sum += part.seconds;
  return sum;
}

double planned_seconds(const std::vector<PlannedTest>& plans) {
  double sum = 0;
  for (const PlannedTest& plan : plans) sum += planned_seconds(plan);
  return sum;
}

TEST(ConformPlan, OneEnvironmentThatServesAllMutants) {
  // The first is best for each mutant alone, the third is good enough for both.
  const auto plans = plan_tests({{{100, 0, 30}, {0, 100, 40}}}, goal(1));
  ASSERT_EQ(1u, plans.size());
  ASSERT_EQ(1u, plans[0].parts.size());
  EXPECT_EQ(2u, plans[0].parts[0].environment);
  EXPECT_DOUBLE_EQ(1, plans[0].parts[0].seconds);  // nobody else wants the rest
  EXPECT_DOUBLE_EQ(0.1, plans[0].needed);
  EXPECT_TRUE(plans[0].reached);
}

TEST(ConformPlan, AnotherEnvironmentForWhoIsNotServedByTheFirst) {
  const auto plans = plan_tests({{{100, 0}, {0, 10}}}, goal(1));
  ASSERT_EQ(2u, plans[0].parts.size());
  EXPECT_DOUBLE_EQ(0.03 + 0.3, plans[0].needed);
  EXPECT_TRUE(plans[0].reached);
  double kills0 = expected_kills({100, 0}, plans[0].parts), kills1 = expected_kills({0, 10}, plans[0].parts);
  EXPECT_GE(kills0, 3);
  EXPECT_GE(kills1, 3);
}

TEST(ConformPlan, TestsThatNeedLittleGoFirst) {
  const auto plans = plan_tests({{{1}}, {{10}}, {{30}}}, goal(1));
  EXPECT_FALSE(plans[0].reached);
  EXPECT_DOUBLE_EQ(3, plans[0].needed);
  EXPECT_TRUE(plans[1].reached);
  EXPECT_TRUE(plans[2].reached);
  EXPECT_GE(expected_kills({10}, plans[1].parts), 3 - 1e-9);
  EXPECT_GE(expected_kills({30}, plans[2].parts), 3 - 1e-9);
  EXPECT_NEAR(1, planned_seconds(plans), 1e-9);
}

TEST(ConformPlan, TheSlowestMutantGetsMostOfTheRest) {
  std::vector<MutantRates> tests(19, MutantRates{{3000}});
  tests.insert(tests.begin() + 4, MutantRates{{1000}, {3}});
  // The test with the slow mutant needs a second; the others need 0.01, the least.
  const auto plans = plan_tests(tests, goal(3));
  EXPECT_NEAR(3, planned_seconds(plans), 1e-9);
  EXPECT_DOUBLE_EQ(1, plans[4].needed);
  EXPECT_GT(planned_seconds(plans[4]), 1 + (3 - 1.19) * 0.8);
  // All have the same margin.
  for (const PlannedTest& plan : plans) {
    EXPECT_TRUE(plan.reached);
    EXPECT_NEAR(3 / 1.19, planned_seconds(plan) / plan.needed, 1e-9);
  }
}

TEST(ConformPlan, WhatNobodyNeedsGoesToAll) {
  const auto plans = plan_tests({{{300}}, {{3}}, {}}, goal(10));
  EXPECT_NEAR(10, planned_seconds(plans), 1e-9);
  // Four times 0.01, 1 and 0.01 seconds, and a third of the rest.
  const double rest = (10 - 4 * 1.02) / 3;
  EXPECT_NEAR(0.04 + rest, planned_seconds(plans[0]), 1e-9);
  EXPECT_NEAR(4 + rest, planned_seconds(plans[1]), 1e-9);
  EXPECT_NEAR(0.04 + rest, planned_seconds(plans[2]), 1e-9);
}

TEST(ConformPlan, WhatIsNotReachedGetsMoreOfTheRest) {
  // The second is out of reach; the third has no mutants.
  const auto plans = plan_tests({{{30}}, {{0.1}}, {}}, goal(2));
  EXPECT_NEAR(2, planned_seconds(plans), 1e-9);
  EXPECT_FALSE(plans[1].reached);
  const double rest = 2 - 0.4 - 0.01 - 0.04;
  EXPECT_NEAR(0.4 + rest / 6, planned_seconds(plans[0]), 1e-9);
  EXPECT_NEAR(0.01 + rest / 2 + rest / 6, planned_seconds(plans[1]), 1e-9);
  EXPECT_NEAR(0.04 + rest / 6, planned_seconds(plans[2]), 1e-9);
}

TEST(ConformPlan, WhatIsNeverKilledIsNeverReached) {
  const auto plans = plan_tests({{{0, 0}}, {{100, 0}}}, goal(1));
  EXPECT_TRUE(std::isinf(plans[0].needed));
  EXPECT_FALSE(plans[0].reached);
  EXPECT_TRUE(plans[1].reached);
  EXPECT_GT(plans[0].parts[0].seconds, 0.6);  // most of what nobody needs
}

TEST(ConformPlan, ATestWithoutMutantsRunsToo) {
  const auto plans = plan_tests({{}, {{10, 20}}}, goal(1));
  EXPECT_TRUE(plans[0].reached);
  EXPECT_EQ(0u, plans[0].parts[0].environment);
  EXPECT_GT(plans[0].parts[0].seconds, 0);
  EXPECT_EQ(1u, plans[1].parts[0].environment);
}

TEST(ConformPlan, EveryTestRunsHoweverSmallTheBudget) {
  const auto plans = plan_tests({{{1}}, {{1}}, {{1}}}, goal(0.001));
  for (const PlannedTest& plan : plans) {
    EXPECT_FALSE(plan.reached);
    EXPECT_DOUBLE_EQ(0.01, plan.parts[0].seconds);
  }
}

}  // namespace
}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
#include "campaign/conform_plan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weakspot::campaign {
namespace {

PlanGoal goal(double budget) { return {.target = 0.95, .budget = budget, .least = 0.01}; }  // three kills

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
  double sum = 0;
  for (const PlannedTest& plan : plans) sum += plan.parts[0].seconds;
  EXPECT_NEAR(1, sum, 1e-9);
}

TEST(ConformPlan, WhatIsNeverKilledIsNeverReached) {
  const auto plans = plan_tests({{{0, 0}}, {{100, 0}}}, goal(1));
  EXPECT_TRUE(std::isinf(plans[0].needed));
  EXPECT_FALSE(plans[0].reached);
  EXPECT_TRUE(plans[1].reached);
  EXPECT_GT(plans[0].parts[0].seconds, 0.4);  // its share of what nobody needs
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

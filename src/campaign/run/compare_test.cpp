// SPDX-License-Identifier: MIT
#include "campaign/compare.h"

#include <gtest/gtest.h>

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

RunRecord record(const std::string& test, const std::string& device, std::uint64_t weak, std::uint64_t instances,
                 int workgroup_size = 64) {
  RunRecord made;
  made.test = test;
  made.hash = test + "-hash";
  made.device = device;
  made.environment.workgroup_size = workgroup_size;
  made.instances = instances;
  made.seconds = 0.5;
  made.outcomes = {{"x=0;", instances - weak, OutcomeClass::sequential, false, {}}};
  if (weak != 0) made.outcomes.push_back({"x=1;", weak, OutcomeClass::weak, true, {}});
  return made;
}

TEST(Compare, AnOutcomeThatOnlyOneSideSaw) {
  const Comparison found = compare_runs({record("MP", "a", 40, 1000)}, {record("MP", "b", 0, 1000)}, {});
  ASSERT_EQ(2u, found.outcomes.size());
  const OutcomeComparison& weak = found.outcomes[1];
  EXPECT_EQ("x=1;", weak.outcome);
  EXPECT_EQ(OutcomeClass::weak, weak.outcome_class);
  EXPECT_TRUE(weak.matches);
  EXPECT_EQ(40u, weak.a.count);
  EXPECT_EQ(0u, weak.b.count);
  EXPECT_EQ(1000u, weak.b.instances);
  EXPECT_TRUE(weak.differs);
  EXPECT_TRUE(found.outcomes[0].differs);
  EXPECT_TRUE(weak.device.empty());
  EXPECT_TRUE(weak.environment.empty());
}

TEST(Compare, EqualChancesDoNotDiffer) {
  const Comparison found = compare_runs({record("MP", "a", 40, 1000)}, {record("MP", "a", 380, 10000)}, {});
  for (const OutcomeComparison& one : found.outcomes) {
    EXPECT_FALSE(one.differs);
    EXPECT_GE(one.adjusted_p, one.difference.p);
  }
}

TEST(Compare, ManyComparisonsTakeMore) {
  // About 0.004 for one of them: significant alone, not among twenty.
  const auto a = record("MP", "a", 30, 10000), b = record("MP", "b", 12, 10000);
  EXPECT_FALSE(compare_runs({a}, {b}, {}).outcomes[1].differs);  // there are two outcomes
  EXPECT_TRUE(compare_runs({a}, {b}, {.level = 0.05}).outcomes[1].differs);
  std::vector<RunRecord> many_a = {a}, many_b = {b};
  for (int i = 0; i < 20; ++i) {
    many_a.push_back(record("T" + std::to_string(i), "a", 30, 10000));
    many_b.push_back(record("T" + std::to_string(i), "b", 30, 10000));
  }
  EXPECT_FALSE(compare_runs(many_a, many_b, {.level = 0.05}).outcomes[1].differs);
}

TEST(Compare, ALeastRatioKeepsSmallDifferencesOut) {
  const auto a = record("MP", "a", 130'000, 1'000'000), b = record("MP", "b", 100'000, 1'000'000);
  EXPECT_TRUE(compare_runs({a}, {b}, {}).outcomes[1].differs);
  EXPECT_TRUE(compare_runs({a}, {b}, {.least_ratio = 1.2}).outcomes[1].differs);
  EXPECT_FALSE(compare_runs({a}, {b}, {.least_ratio = 1.3}).outcomes[1].differs);
  EXPECT_TRUE(compare_runs({b}, {a}, {.least_ratio = 1.2}).outcomes[1].differs);
  EXPECT_FALSE(compare_runs({b}, {a}, {.least_ratio = 1.5}).outcomes[1].differs);
}

TEST(Compare, LikeIsComparedWithLike) {
  const std::vector<RunRecord> a = {record("MP", "p", 1, 100, 32), record("MP", "q", 2, 100, 32),
                                    record("MP", "p", 3, 100, 64), record("SB", "p", 4, 100, 32)};
  const std::vector<RunRecord> b = {record("MP", "q", 5, 100, 32), record("MP", "p", 6, 100, 32),
                                    record("MP", "p", 7, 100, 96), record("MP", "p", 8, 100, 32)};
  const Comparison found = compare_runs(a, b, {});
  ASSERT_EQ(4u, found.outcomes.size());
  EXPECT_EQ("p", found.outcomes[1].device);
  EXPECT_EQ("workgroup_size=32", found.outcomes[1].environment);
  EXPECT_EQ(1u, found.outcomes[1].a.count);
  EXPECT_EQ(14u, found.outcomes[1].b.count);
  EXPECT_EQ(200u, found.outcomes[1].b.instances);
  EXPECT_EQ("q", found.outcomes[3].device);
  EXPECT_EQ(2u, found.outcomes[3].a.count);
  EXPECT_EQ(5u, found.outcomes[3].b.count);
  EXPECT_EQ((std::vector<std::string>{"only in A: MP on p in basic", "only in A: SB on p in workgroup_size=32",
                                      "only in B: MP on p in workgroup_size=96"}),
            found.notes);
  const Comparison pooled = compare_runs(a, b, {.pool = true});
  EXPECT_EQ(4u, pooled.outcomes[1].a.count);
  EXPECT_EQ(21u, pooled.outcomes[1].b.count);
  EXPECT_EQ("", pooled.outcomes[1].environment);
}

TEST(Compare, ADeviceMoreOnOneSideIsNotAddedUp) {
  const Comparison found =
      compare_runs({record("MP", "p", 1, 100), record("MP", "q", 50, 100)}, {record("MP", "p", 1, 100)}, {});
  ASSERT_EQ(2u, found.outcomes.size());
  EXPECT_EQ(100u, found.outcomes[1].a.instances);
  EXPECT_EQ((std::vector<std::string>{"only in A: MP on q"}), found.notes);
}

TEST(Compare, RunsThatDidNotRunSayNothing) {
  RunRecord failed = record("MP", "a", 0, 0);
  failed.status = RunState::failed;
  const Comparison found = compare_runs({failed}, {record("MP", "b", 1, 10)}, {});
  EXPECT_TRUE(found.outcomes.empty());
  EXPECT_EQ((std::vector<std::string>{"only in B: MP"}), found.notes);
}

}  // namespace
}  // namespace weakspot::campaign

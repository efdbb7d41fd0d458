// SPDX-License-Identifier: MIT
#include "campaign/compare.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Compare, SlicesTellHowMuchRunsVary) {
  auto sliced = [](std::vector<std::uint64_t> weak) {
    RunRecord made = record("MP", "a", 0, 0);
    made.outcomes = {{"x=0;", 0, OutcomeClass::sequential, false, {}}, {"x=1;", 0, OutcomeClass::weak, true, {}}};
    for (const std::uint64_t count : weak) {
      made.slices.push_back({100'000, {100'000 - count, count}});
      made.instances += 100'000;
      made.outcomes[0].count += 100'000 - count;
      made.outcomes[1].count += count;
    }
    return made;
  };
  const RunRecord a = sliced({1000, 1150, 950, 1080, 1050, 900, 1060, 1010});
  const RunRecord b = sliced({1060, 1200, 990, 1130, 1100, 960, 1100, 1070});
  const RunRecord twice = sliced({2000, 2300, 1900, 2160, 2100, 1800, 2120, 2020});
  const OutcomeComparison alike = compare_runs({a}, {b}, {}).outcomes[1];
  EXPECT_FALSE(alike.differs);
  EXPECT_NEAR(0.07, std::sqrt(alike.variation.relative), 0.02);
  EXPECT_NEAR(14, alike.variation.degrees, 1e-9);
  EXPECT_TRUE(compare_runs({a}, {twice}, {}).outcomes[1].differs);
  EXPECT_TRUE(notes_of(compare_runs({a}, {twice}, {})).empty());
  // Nobody knows how much these vary.
  RunRecord old_a = a, old_b = b;
  old_a.slices.clear();
  old_b.slices.clear();
  const Comparison old = compare_runs({old_a}, {old_b}, {});
  EXPECT_TRUE(old.outcomes[1].differs);
  EXPECT_EQ(
      (std::vector<std::string>{"variation between runs is not known for 2 of 2 outcomes: their runs have too few "
                                "slices"}),
      notes_of(old));
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
  const std::vector<std::string> notes = notes_of(found);
  ASSERT_EQ(4u, notes.size());
  EXPECT_EQ((std::vector<std::string>{"only in A: MP on p in basic", "only in A: SB on p in workgroup_size=32",
                                      "only in B: MP on p in workgroup_size=96"}),
            std::vector<std::string>(notes.begin(), notes.begin() + 3));
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
  EXPECT_EQ("only in A: MP on q", notes_of(found).front());
}

TEST(Compare, APlaceNamesItsEnvironmentShortly) {
  EnvironmentNames names;
  const std::string settings = "workgroup_size=32,memory_stride=4";
  EXPECT_EQ("MP on cpu in " + settings, place_text("MP", "cpu", settings, nullptr));
  EXPECT_EQ("MP on cpu in env 1", place_text("MP", "cpu", settings, &names));
  EXPECT_EQ("MP", place_text("MP", "", "", &names));
}

TEST(Compare, RunsThatDidNotRunSayNothing) {
  RunRecord failed = record("MP", "a", 0, 0);
  failed.status = RunState::failed;
  const Comparison found = compare_runs({failed}, {record("MP", "b", 1, 10)}, {});
  EXPECT_TRUE(found.outcomes.empty());
  EXPECT_EQ((std::vector<std::string>{"only in B: MP"}), notes_of(found));
}

}  // namespace
}  // namespace weakspot::campaign

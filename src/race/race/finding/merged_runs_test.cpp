// SPDX-License-Identifier: MIT
#include "race/merged_runs.h"

#include <gtest/gtest.h>

namespace weakspot::race {
namespace {

Finding finding_at(ClassId id, unsigned line, unsigned other) {
  Finding finding;
  finding.finding_class = id;
  finding.severity = id == ClassId::r1 ? Severity::hint : Severity::error;
  finding.kernel = "k";
  finding.place = {"a.cu", line, 1};
  if (other != 0) finding.other = Place{"a.cu", other, 1};
  return finding;
}

Report run_of(std::vector<Finding> findings) {
  Report report;
  report.kernels.push_back({"k", {"a.cu", 1, 1}, 1, 32});
  report.findings = std::move(findings);
  return report;
}

TEST(MergedRuns, CountOneCauseOnce) {
  const Report all = merged_runs({{"one", run_of({finding_at(ClassId::e1, 3, 5)})},
                                  {"two", run_of({finding_at(ClassId::e1, 5, 3), finding_at(ClassId::e1, 7, 5)})}});
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(all.findings[0].count, 2u);
  EXPECT_EQ(all.findings[1].count, 1u);
  ASSERT_EQ(all.kernels.size(), 1u);
  EXPECT_EQ(all.kernels[0].launches, 2u);
  ASSERT_EQ(all.files.size(), 2u);
  EXPECT_EQ(all.files[0].verdict, RaceVerdict::found);
}

TEST(MergedRuns, BarrierIsRedundantIfAllRunsSaySo) {
  const FileReport says{"one", run_of({finding_at(ClassId::r1, 4, 0)})};
  EXPECT_EQ(merged_runs({says, says}).findings.size(), 1u);
  EXPECT_TRUE(merged_runs({says, {"two", run_of({})}}).findings.empty());
}

TEST(MergedRuns, KernelIsExercisedIfOneRunDid) {
  Report idle;
  idle.not_exercised.push_back({"k", {"a.cu", 1, 1}, "never launched"});
  EXPECT_TRUE(merged_runs({{"one", run_of({})}, {"two", idle}}).not_exercised.empty());
  EXPECT_EQ(merged_runs({{"two", idle}, {"three", idle}}).not_exercised.size(), 1u);
}

TEST(MergedRuns, ReportThatCannotBeReadIsIncomplete) {
  const Report all = merged_runs({{"one", run_of({})}, {"two", std::nullopt}});
  EXPECT_EQ(verdict(all), RaceVerdict::incomplete);
  EXPECT_EQ(all.incomplete, "two: its report cannot be read");
}

}  // namespace
}  // namespace weakspot::race

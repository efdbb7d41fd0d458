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

// A finding of a kernel that ran for two architectures and shows for one says so.
TEST(MergedRuns, FindingsNameTheirArchitectures) {
  Report older = run_of({finding_at(ClassId::e1, 3, 4)});
  Report newer = run_of({finding_at(ClassId::e1, 3, 4), finding_at(ClassId::e1, 5, 6)});
  older.architectures = {"sm_80"};
  newer.architectures = {"sm_100"};
  const Report all = merged_runs({{"one", newer}, {"two", older}});
  EXPECT_EQ(all.architectures, std::vector<std::string>({"sm_80", "sm_100"}));
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(architectures_text(all.findings[0]), "");
  EXPECT_EQ(architectures_text(all.findings[1]), "sm_100");
  EXPECT_EQ(architectures_text(merged_runs({{"one", newer}}).findings[1]), "");
}

TEST(MergedArchitectures, SayWhichShowAFinding) {
  Report older = run_of({finding_at(ClassId::e1, 3, 4), finding_at(ClassId::r1, 9, 0)});
  Report newer = run_of({finding_at(ClassId::e1, 5, 6), finding_at(ClassId::e1, 3, 4)});
  older.code = newer.code = {1, 20, 10};
  older.incomplete = "no time";
  const Report all = merged_architectures({{"sm_80", older}, {"sm_90", newer}});
  EXPECT_EQ(all.architectures, std::vector<std::string>({"sm_80", "sm_90"}));
  ASSERT_EQ(all.findings.size(), 2u);  // the barrier is redundant for one only
  EXPECT_EQ(all.findings[0].place.line, 3u);
  EXPECT_EQ(architectures_text(all.findings[0]), "");
  EXPECT_EQ(all.findings[1].place.line, 5u);
  EXPECT_EQ(architectures_text(all.findings[1]), "sm_90");
  ASSERT_EQ(all.kernels.size(), 1u);
  EXPECT_EQ(all.kernels[0].launches, 2u);
  EXPECT_EQ(all.code.lines, 20u);
  EXPECT_EQ(all.incomplete, "sm_80: no time");
  EXPECT_TRUE(all.files.empty());
  const base::Result<Report> read = report_from_json(to_json(all));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->architectures, all.architectures);
  EXPECT_EQ(read->findings[1].architectures, all.findings[1].architectures);
}

TEST(MergedArchitectures, OneThatCannotBeCheckedIsMissing) {
  const Report all = merged_architectures({{"sm_80", std::nullopt}, {"sm_90", run_of({})}});
  EXPECT_EQ(all.architectures, std::vector<std::string>({"sm_90"}));
  EXPECT_EQ(all.incomplete, "sm_80: it could not be checked");
}

}  // namespace
}  // namespace weakspot::race

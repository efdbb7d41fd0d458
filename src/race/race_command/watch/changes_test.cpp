// SPDX-License-Identifier: MIT
#include "race_command/watch/changes.h"

#include <gtest/gtest.h>

#include "race/classes.h"

namespace weakspot::race_command::changes_test {
namespace {

race::Finding finding_at(unsigned line, const char* array) {
  race::Finding finding;
  race::classify(finding, race::ClassId::e1);
  finding.message = "write and read of shared a[0] are not ordered";
  finding.place = {"sum.cu", line, 3};
  finding.variable = {array, "[0]", {}};
  return finding;
}

race::Report report_of(std::vector<race::Finding> findings) {
  race::Report report;
  report.findings = std::move(findings);
  return report;
}

std::optional<std::string> same_line(const std::string&, unsigned) { return "  a[i] = 1;"; }

TEST(LastCheck, TellsNewFromMovedFromGone) {
  LastCheck last;
  const Changes first = last.next(report_of({finding_at(7, "sum"), finding_at(20, "scan")}), same_line);
  EXPECT_EQ(first.fresh.size(), 2u);
  EXPECT_TRUE(first.gone.empty());
  EXPECT_EQ(first.kept, 0u);

  const Changes second = last.next(report_of({finding_at(9, "sum"), finding_at(30, "sort")}), same_line);
  ASSERT_EQ(second.fresh.size(), 1u);
  EXPECT_EQ(second.fresh[0].place.line, 30u);
  EXPECT_EQ(second.gone, std::vector<std::string>{"E1 sum.cu:20: write and read of shared a[0] are not ordered"});
  EXPECT_EQ(second.kept, 1u);

  const Changes third = last.next(report_of({}), same_line);
  EXPECT_TRUE(third.fresh.empty());
  EXPECT_EQ(third.gone.size(), 2u);
}

}  // namespace
}  // namespace weakspot::race_command::changes_test

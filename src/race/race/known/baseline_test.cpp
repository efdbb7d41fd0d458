// SPDX-License-Identifier: MIT
#include "race/baseline.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "race/classes.h"
#include "race/finding/fingerprint.h"
#include "race/gate_reports.h"

namespace weakspot::race::baseline_test {
namespace {

Finding finding_at(unsigned line, std::string kernel = "sum") {
  Finding finding;
  classify(finding, ClassId::e1);
  finding.severity = Severity::error;
  finding.message = "write and read of shared a|b[0] are not ordered";
  finding.place = {"sum.cu", line, 3};
  finding.variable = {"a", "[0]", {}};
  finding.kernel = std::move(kernel);
  finding.fixes = {{.certain = true, .places = {{{"a.cu", 6, false}, {}, {}}}}};
  return finding;
}

// The file, moved down by some lines.
LineReader file_moved_by(unsigned lines) {
  return [lines](const std::string&, unsigned line) -> std::optional<std::string> {
    return line - lines == 7 ? "  total = a[0];" : "  a[i] = 1;";
  };
}

Report report_with(std::vector<Finding> findings) {
  Report report;
  report.kernels.push_back({"sum", {"sum.cu", 2, 1}, 1, 32});
  report.findings = std::move(findings);
  return report;
}

base::Result<Baseline> read(const std::string& text) { return read_baseline(base::Source("known", text)); }

TEST(Baseline, KnowsFindingsWhoseLinesMoved) {
  const auto baseline = read(baseline_text(report_with({finding_at(7)}), file_moved_by(0)));
  ASSERT_TRUE(baseline);
  Report moved = report_with({finding_at(17)});
  EXPECT_EQ(leave_out_known(moved, *baseline, file_moved_by(10)), 0u);
  EXPECT_TRUE(moved.findings.empty());
  EXPECT_EQ(moved.suppressed.size(), 1u);
}

TEST(Baseline, AnotherLineIsANewFinding) {
  const auto baseline = read(baseline_text(report_with({finding_at(7)}), file_moved_by(0)));
  Report report = report_with({finding_at(7), finding_at(9)});
  leave_out_known(report, *baseline, file_moved_by(0));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings.front().place.line, 9u);
}

TEST(Baseline, OneEntryIsForOneFinding) {
  const auto baseline = read(baseline_text(report_with({finding_at(9)}), file_moved_by(0)));
  Report report = report_with({finding_at(9), finding_at(10)});  // the same text twice
  EXPECT_EQ(leave_out_known(report, *baseline, file_moved_by(0)), 0u);
  EXPECT_EQ(report.findings.size(), 1u);
  Report fixed = report_with({});
  EXPECT_EQ(leave_out_known(fixed, *baseline, file_moved_by(0)), 1u);
}

TEST(Baseline, SuppressedFindingsStayKnown) {
  Report report = report_with({});
  report.suppressed.push_back(finding_at(7));
  EXPECT_EQ(read(baseline_text(report, file_moved_by(0)))->known.size(), 1u);
}

TEST(Baseline, MistakesHaveTheirPlace) {
  const auto baseline = read("# fine\n\nE1 sum.cu:7\n0123456789abcdef0123456789abcdeF x\n");
  ASSERT_FALSE(baseline);
  ASSERT_EQ(baseline.errors().size(), 2u);
  EXPECT_EQ(baseline.errors().front().position.line, 3u);
}

TEST(GateReports, JunitHasACasePerKernel) {
  Report report = report_with({finding_at(7)});
  report.kernels.push_back({"fine", {"sum.cu", 20, 1}, 1, 32});
  report.not_exercised.push_back({"never", {"sum.cu", 30, 1}, "never launched"});
  const std::string text = to_junit(report);
  EXPECT_NE(text.find("tests=\"3\" failures=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("sum.cu:7:3: error E1: "), std::string::npos) << text;
  EXPECT_NE(text.find("<skipped"), std::string::npos) << text;
}

TEST(GateReports, MarkdownKeepsItsTable) {
  Report report = report_with({finding_at(7)});
  report.suppressed.push_back(finding_at(9));
  const std::string text = to_markdown(report, "sum.cu");
  EXPECT_NE(text.find("| sum.cu:7 | error E1: write and read of shared a\\|b\\[0] are not ordered"), std::string::npos)
      << text;
  EXPECT_NE(text.find("1 finding is known."), std::string::npos) << text;
}

}  // namespace
}  // namespace weakspot::race::baseline_test

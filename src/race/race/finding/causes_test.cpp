// SPDX-License-Identifier: MIT
#include "race/causes.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "race/baseline.h"
#include "race/finding/fingerprint.h"
#include "race/gate_reports.h"
#include "race/merged_runs.h"
#include "race/suppressions.h"

namespace weakspot::race {
namespace {

Finding race_at(unsigned line, unsigned other, const std::vector<unsigned>& before,
                RepairKind kind = RepairKind::block_barrier) {
  Finding finding;
  finding.kernel = "k";
  finding.space = Space::shared;
  finding.variable = {"x", "[3]", {}};
  finding.message = "not ordered";
  finding.fixes = {{.kind = FixKind::block_barrier, .certain = !before.empty(), .detail = "there"}};
  finding.place = {"a.cu", line, 1};
  finding.other = Place{"a.cu", other, 2};
  if (!before.empty()) finding.repair = Repair{kind, {}, {}};
  for (const unsigned gap : before) finding.repair->gaps.push_back({"a.cu", gap, false});
  return finding;
}

const LineReader kNumberedLines = [](const std::string&, unsigned line) {
  return std::optional<std::string>("line " + std::to_string(line));
};

TEST(Causes, OneBarrierIsOneFinding) {
  const std::vector<Finding> causes =
      one_per_cause({race_at(3, 7, {4, 5, 6, 7}), race_at(4, 9, {5, 6, 7, 8, 9}), race_at(6, 7, {7})});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].also.size(), 2u);
  EXPECT_TRUE(has_fix(causes[0]));
  EXPECT_EQ(advice_text(causes[0]), "put __syncthreads() before line 7, which orders all 3 pairs of lines");
  EXPECT_EQ(also_names(causes[0]), (std::vector<std::string>{"lines 4 and 9", "lines 6 and 7"}));
}

// The fences stand behind the last write. Another copy by the map needs its own.
TEST(Causes, AllWritesOfATensorMapAreOneFinding) {
  std::vector<Finding> found = {race_at(3, 9, {}), race_at(5, 9, {}), race_at(4, 9, {}), race_at(5, 12, {})};
  for (Finding& finding : found) {
    finding.finding_class = ClassId::p1;
    finding.other_actor = Actor{Act::map_use, {}};
    finding.fixes = {
        {.kind = FixKind::map_fences, .detail = "a fence after line " + std::to_string(finding.place.line)}};
  }
  const std::vector<Finding> causes = one_per_cause(found);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].place.line, 5u);
  EXPECT_EQ(advice_text(causes[0]), "consider a fence after line 5");
  EXPECT_EQ(causes[0].also.size(), 2u);
  EXPECT_EQ(causes[1].other->line, 12u);
}

// The second shares a gap with each of the others, but there is none that all have.
TEST(Causes, PairsThatNoSingleBarrierOrdersStayApart) {
  const std::vector<Finding> causes =
      one_per_cause({race_at(3, 5, {4, 5}), race_at(3, 9, {4, 5, 8, 9}), race_at(7, 9, {8, 9})});
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].also.size(), 1u);
  EXPECT_EQ(causes[1].place.line, 7u);
}

TEST(Causes, ClassKernelAndKindOfBarrierMatter) {
  const Finding first = race_at(3, 7, {7});
  Finding of_warp = race_at(4, 7, {7}, RepairKind::warp_barrier), graver = race_at(4, 7, {7}),
          elsewhere = race_at(4, 7, {7});
  graver.finding_class = ClassId::w1;
  elsewhere.kernel = "other";
  EXPECT_EQ(one_per_cause({first, of_warp, graver, elsewhere}).size(), 4u);
  Finding instance = race_at(4, 7, {7}), another = race_at(5, 7, {7});
  instance.kernel = "k<float>";
  another.kernel = "k<int>";
  EXPECT_EQ(one_per_cause({instance, another}).size(), 1u);
  EXPECT_TRUE(concerns_kernel(one_per_cause({instance, another})[0], "k<int>"));
}

TEST(Causes, BetweenBlocksOneArrayIsOneCause) {
  Finding other = race_at(4, 7, {7}, RepairKind::two_launches);
  const Finding first = race_at(3, 7, {7}, RepairKind::two_launches);
  ASSERT_EQ(one_per_cause({first, other}).size(), 1u);
  EXPECT_FALSE(has_fix(one_per_cause({first, other})[0]));
  EXPECT_EQ(advice_text(one_per_cause({first, other})[0]),
            "consider two launches instead of one kernel, split before line 7, for both pairs of lines");
  other.variable = {"y", "[0]", {}};
  EXPECT_EQ(one_per_cause({first, other}).size(), 2u);
}

TEST(Causes, UnknownRepairsStayApartUnlessTheStatementIsTheSame) {
  Finding second = race_at(3, 7, {});
  second.variable = {"y", "[1]", {}};
  const std::vector<Finding> causes = one_per_cause({race_at(3, 7, {}), race_at(4, 7, {}), second});
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(also_names(causes[0]), (std::vector<std::string>{"lines 3 and 7 of y[1]"}));
  EXPECT_EQ(advice_text(causes[0]), "look for a place for __syncthreads() there that all threads pass together");
}

TEST(Causes, BrokenRelationIsOneCause) {
  Finding first = race_at(3, 7, {}), second = race_at(5, 5, {});
  for (Finding* finding : {&first, &second}) {
    finding->finding_class = ClassId::i1;
    finding->repair = Repair{RepairKind::relation, "pitch >= width", {}};
  }
  EXPECT_EQ(one_per_cause({first, second}).size(), 1u);
  second.repair->relation = "n <= m";
  EXPECT_EQ(one_per_cause({first, second}).size(), 2u);
}

// Each of them becomes a litmus test.
TEST(Causes, MissingFencesStayApart) {
  Finding first = race_at(3, 7, {7}), second = race_at(4, 7, {7});
  first.witness = second.witness = Witness{};
  first.witness->links.emplace_back();
  EXPECT_EQ(one_per_cause({first, second}).size(), 2u);
}

TEST(Causes, SuppressedPairLeavesTheOthers) {
  Report report;
  report.findings = one_per_cause({race_at(3, 7, {7}), race_at(4, 7, {7}), race_at(5, 7, {7})});
  const base::Source lines("known.txt", "E1 a.cu:3\n");
  EXPECT_EQ(suppress(report, *read_suppressions(lines)), std::vector<bool>{true});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].place.line, 4u);
  EXPECT_EQ(advice_text(report.findings[0]), "put __syncthreads() before line 7, which orders both pairs of lines");
  ASSERT_EQ(report.suppressed.size(), 1u);
  EXPECT_TRUE(report.suppressed[0].also.empty());
}

TEST(Causes, FurtherPairIsNewToABaseline) {
  Report before, now;
  before.findings = one_per_cause({race_at(3, 7, {7}), race_at(4, 7, {7})});
  now.findings = one_per_cause({race_at(3, 7, {7}), race_at(4, 7, {7}), race_at(5, 7, {7})});
  const base::Source text("base.txt", baseline_text(before, kNumberedLines));
  EXPECT_EQ(leave_out_known(now, *read_baseline(text), kNumberedLines), 0u);
  ASSERT_EQ(now.findings.size(), 1u);
  EXPECT_EQ(now.findings[0].place.line, 5u);
  EXPECT_EQ(now.suppressed.size(), 1u);
}

TEST(Causes, FingerprintDoesNotDependOnWhichPairIsFirst) {
  const Finding one = race_at(3, 7, {7}), two = race_at(4, 7, {7});
  EXPECT_EQ(fingerprint_of_all(one_per_cause({one, two})[0], kNumberedLines),
            fingerprint_of_all(one_per_cause({two, one})[0], kNumberedLines));
}

TEST(Causes, MergedRunsAreGroupedAgain) {
  Report first, second;
  first.findings = one_per_cause({race_at(3, 5, {4, 5}), race_at(3, 9, {4, 5, 8, 9})});
  second.findings = one_per_cause({race_at(3, 9, {4, 5, 8, 9}), race_at(7, 9, {8, 9})});
  const Report all = merged_runs({{"one", first}, {"two", second}});
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(all.findings[0].also.size(), 1u);
  EXPECT_EQ(all.findings[0].also[0].count, 2u);
  EXPECT_EQ(all.findings[1].place.line, 7u);
}

TEST(Causes, ReportsCarryThem) {
  Report report;
  report.findings = one_per_cause({race_at(3, 7, {7}), race_at(4, 7, {7})});
  report.findings[0].allocated = Allocated{{"counts", "[3]", {}}, {"a.cu", 40, 3}};
  const base::Result<Report> back = report_from_json(to_json(report));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(to_json(*back), to_json(report));
  EXPECT_EQ(back->findings[0].also.size(), 1u);
  EXPECT_EQ(back->findings[0].allocated->variable, (Variable{"counts", "[3]", {}}));
  const std::string text = to_text(report, [](const std::string&, unsigned) { return std::nullopt; });
  EXPECT_NE(text.find("  also: lines 4 and 7\n  memory: counts[3], allocated at a.cu:40\n"), std::string::npos) << text;
  EXPECT_NE(to_sarif(report, "1", kNumberedLines).find("also: not ordered"), std::string::npos);
}

TEST(Causes, LongListsKeepToTheWidth) {
  std::vector<Finding> findings;
  for (unsigned i = 100; i < 120; ++i) findings.push_back(race_at(i, 200, {200}));
  Report report;
  report.findings = one_per_cause(std::move(findings));
  const std::string text = to_text(report, [](const std::string&, unsigned) { return std::nullopt; });
  std::size_t at = text.find("  also:");
  ASSERT_NE(at, std::string::npos) << text;
  std::size_t lines = 0;
  do {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 80u) << text.substr(at, end - at);
    at = end + 1;
    ++lines;
  } while (text.compare(at, 8, "        ") == 0);
  EXPECT_GT(lines, 1u) << text;
}

}  // namespace
}  // namespace weakspot::race

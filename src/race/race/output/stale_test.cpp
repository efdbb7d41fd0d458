// SPDX-License-Identifier: MIT
// The words of a finding about stale values, and its way through JSON.
#include "race/stale.h"

#include <gtest/gtest.h>

#include "race/classes.h"
#include "race/report.h"

namespace weakspot::race::stale_test {
namespace {

StaleStory story_of(StaleEnd end) {
  StaleStory story;
  StaleValue first;
  first.read = {"a.cu", 41, 7};
  first.variable = read_variable("data[0]");
  first.from = Place{"a.cu", 17, 3};
  first.by = {"a.cu", 30, 3};
  first.value = 5;
  first.newest = 6;
  StaleValue second = first;
  second.read = {"a.cu", 43, 7};
  second.thread.thread.at[0] = 2;
  second.from = std::nullopt;
  second.by = {"b.h", 9, 1};
  story.reads = {first, second};
  story.end = end;
  if (end == StaleEnd::finding) {
    story.shown = ClassId::a2;
    story.message = "assertion 'x' failed";
    story.place = {"a.cu", 50, 1};
  }
  if (end == StaleEnd::unexpected) story.array = "out";
  return story;
}

Finding finding_of(StaleEnd end) {
  Finding finding;
  classify(finding, ClassId::v1);
  finding.kind = FindingKind::stale_value;
  finding.stale = story_of(end);
  tell(finding);
  return finding;
}

TEST(Stale, SaysWhatWasReadAndWhatBecameOfIt) {
  const Finding finding = finding_of(StaleEnd::finding);
  EXPECT_EQ(finding.message, "read of data[0] returned the value of line 17, although line 30 had overwritten it");
  EXPECT_EQ(finding.why,
            "nothing makes the newer value visible to the read; then A2 at line 50: assertion 'x' failed; the read at "
            "line 43 by threadIdx=2 blockIdx=0 also returned the initial value, which b.h:9 had overwritten");
  EXPECT_NE(finding_of(StaleEnd::unexpected).why.find("left other contents in out than expected"), std::string::npos);
  EXPECT_NE(finding_of(StaleEnd::other_memory).why.find("than all runs without stale values"), std::string::npos);
}

TEST(Stale, PassesThroughJson) {
  for (const StaleEnd end : {StaleEnd::finding, StaleEnd::other_memory, StaleEnd::unexpected}) {
    Report report;
    report.findings = {finding_of(end)};
    report.weak = WeakReport{.runs = 20, .with_stale = 7, .stale_reads = 30, .ends = {}};
    report.weak->ends.push_back({ClassId::d4, {"a.cu", 3, 4}, "waits forever", 5});
    const std::string text = to_json(report);
    const base::Result<Report> read = report_from_json(text);
    ASSERT_TRUE(read) << base::render(read.errors());
    EXPECT_EQ(to_json(*read), text);
    EXPECT_EQ(read->findings.at(0).stale->end, end);
    EXPECT_EQ(read->findings.at(0).stale->reads.at(0).from, (Place{"a.cu", 17, 3}));
    EXPECT_EQ(read->weak->ends.at(0).runs, 5u);
  }
}

TEST(Stale, ReportsOfSeveralFilesAreAdded) {
  Report one, two;
  one.weak = WeakReport{.runs = 20, .with_stale = 7, .stale_reads = 30, .ends = {}};
  two.weak = WeakReport{.runs = 1, .with_stale = 1, .stale_reads = 2, .ends = {}};
  const Report all = merged({{"a.cu", one}, {"b.cu", two}, {"c.cu", Report{}}});
  ASSERT_TRUE(all.weak);
  EXPECT_EQ(weak_text(*all.weak).substr(0, 61), "weak values: 21 runs, 8 of them with stale reads, 32 in all\n ");
}

}  // namespace
}  // namespace weakspot::race::stale_test

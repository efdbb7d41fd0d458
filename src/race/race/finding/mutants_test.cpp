// SPDX-License-Identifier: MIT
#include "race/mutants.h"

#include <gtest/gtest.h>

#include "race/report.h"

namespace weakspot::race::mutants_test {
namespace {

std::vector<Mutant> three_mutants() {
  Mutant barrier{.number = 1, .kind = MutantKind::no_barrier, .place = {"a.cu", 5, 3}, .function = "k"};
  barrier.end = MutantEnd::noticed;
  barrier.by_class = ClassId::e1;
  barrier.by_message = "write and read of shared tile[0] are not ordered";
  barrier.by_place = {"a.cu", 6, 0};
  Mutant fence{.number = 2, .kind = MutantKind::no_fence, .place = {"a.cu", 7, 3}, .function = "k"};
  fence.end = MutantEnd::survived;
  Mutant atomic{.number = 3, .kind = MutantKind::plain, .place = {"a.cu", 8, 3}, .function = "k"};
  atomic.end = MutantEnd::not_reached;
  return {barrier, fence, atomic};
}

TEST(Mutants, TextSaysWhatWasNoticedAndTheScore) {
  EXPECT_EQ(
      to_text(three_mutants()),
      "noticed a.cu:5:3: mutant 1: the barrier is removed; E1 at line 6: write and read of shared tile[0] are not "
      "ordered\n"
      "survived a.cu:7:3: mutant 2: the fence is removed; nothing that the runs exercise depends on it\n"
      "not-reached a.cu:8:3: mutant 3: the atomic is a plain access; no run executes it\n"
      "mutants noticed: 1 of 3 (33.3 %); removed barriers and fences: 1 of 2 (50.0 %); weakened atomics and fences: 0 "
      "of "
      "1 (0.0 %)\n");
}

TEST(Mutants, NothingToWeakenIsAFullScore) { EXPECT_EQ(score_of({}).percent(), 100); }

TEST(Mutants, SurviveTheReport) {
  Report report;
  report.mutants = three_mutants();
  const base::Result<Report> read = report_from_json(to_json(report));
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  ASSERT_TRUE(read->mutants.has_value());
  EXPECT_EQ(to_text(*read->mutants), to_text(three_mutants()));
}

TEST(Witnesses, SurviveTheReport) {
  Report report;
  Finding finding;
  finding.witness.emplace();
  finding.witness->locations = {{{"data", "[0]", {}}, Space::shared, 4}};
  WitnessStep step{.kind = StepKind::update, .number = 7, .place = {"a.cu", 3, 5}};
  step.order = StepOrder::acq_rel;
  step.scope = Scope::block;
  step.is_volatile = step.polls = step.partial = true;
  finding.witness->threads = {{{{{1}}, {{2}}, {}}, 2, 0, {step}}};
  finding.witness->links = {{7, 9}};
  finding.witness->on_signal = true;
  finding.distilled = Distilled{"t.litmus", "t+fixed.litmus", "ptx", "allowed", "forbidden", {"a fence"}, "", false};
  report.findings.push_back(finding);
  const base::Result<Report> read = report_from_json(to_json(report));
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(to_json(*read), to_json(report));
}

}  // namespace
}  // namespace weakspot::race::mutants_test

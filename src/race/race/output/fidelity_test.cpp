// SPDX-License-Identifier: MIT
#include "race/fidelity.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "race/gate_reports.h"
#include "race/merged_runs.h"

namespace weakspot::race::fidelity_test {
namespace {

Fidelity complete() {
  Fidelity fidelity;
  fidelity.instructions = Share{412, 412};
  fidelity.values = Values::computed;
  fidelity.blocks = {18, 18};
  fidelity.orders = {1, 1, 1};
  fidelity.kernels = {1, 1};
  return fidelity;
}

Fidelity partial() {
  Fidelity fidelity;
  fidelity.operations = Share{6, 5};
  fidelity.values = Values::partial;
  fidelity.blocks = {4, 3};
  fidelity.orders = {2, 0, 0};
  fidelity.kernels = {3, 1};
  return fidelity;
}

TEST(Fidelity, LineFitsTheScreen) {
  EXPECT_EQ(fidelity_line(complete()),
            "ran: all 412 instructions, values computed, 18 blocks: forward, reversed, random");
  EXPECT_EQ(fidelity_line(partial()),
            "ran: 5 of 6 GPU operations, some values unknown, 3 of 4 blocks: forward; 2 kernels not run");
}

TEST(Fidelity, UnknownFiguresAreLeftOut) {
  EXPECT_EQ(fidelity_line({}), "ran: nothing");
  Fidelity idle;
  idle.instructions = Share{412, 412};
  idle.kernels = {1, 0};
  EXPECT_EQ(fidelity_line(idle), "ran: nothing; 1 kernel not run");
  Fidelity plain;
  plain.blocks = {1, 1};
  plain.orders.count(Schedule::random);
  EXPECT_EQ(fidelity_line(plain), "ran: 1 block: random");
}

TEST(Fidelity, JsonReadsBack) {
  for (const Fidelity& fidelity : {complete(), partial(), Fidelity{}}) {
    const std::string text = base::json_indented(to_json(fidelity));
    base::Source source("report", text);
    base::Mistakes mistakes(source);
    const std::optional<base::JsonValue> json = base::read_json_text(mistakes);
    ASSERT_TRUE(json);
    EXPECT_EQ(read_fidelity(*json, mistakes), fidelity) << text;
    EXPECT_FALSE(mistakes.any());
  }
}

TEST(Fidelity, EveryReportHasIt) {
  Report report;
  report.fidelity = complete();
  const LineReader no_lines = [](const std::string&, unsigned) { return std::nullopt; };
  const std::string line = fidelity_line(complete());
  EXPECT_TRUE(to_text(report, no_lines).starts_with(line + "\nclean: ")) << "directly before the last line";
  EXPECT_NE(to_html(report, "a.ptx", no_lines).find("<p>" + line + "</p>"), std::string::npos);
  const base::Result<Report> read = report_from_json(to_json(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->fidelity, complete());
  const base::Result<base::JsonValue> sarif = base::read_json_text(base::Source("s", to_sarif(report, "1", no_lines)));
  ASSERT_TRUE(sarif);
  EXPECT_EQ(sarif->at("runs").at(0).at("properties").at("executed"), to_json(complete()));
  report.fidelity.reset();
  EXPECT_TRUE(to_text(report, no_lines).starts_with("clean: "));
}

TEST(Fidelity, FilesAddUp) {
  Report one, other;
  one.fidelity = complete();
  other.fidelity = partial();
  const Fidelity all = merged({{"a.ptx", one}, {"b.cu", other}, {"c.cu", std::nullopt}}).fidelity.value();
  EXPECT_EQ(all.instructions, (Share{412, 412}));
  EXPECT_EQ(all.operations, (Share{6, 5}));
  EXPECT_EQ(all.values, Values::partial);
  EXPECT_EQ(all.blocks, (Share{22, 21}));
  EXPECT_EQ(all.orders, (OrdersRun{3, 1, 1}));
  EXPECT_EQ(all.kernels, (Share{4, 2}));
}

// Two processes may have run the same program.
TEST(Fidelity, ProcessesDoNotAddUpTheirCode) {
  Report run;
  run.fidelity = partial();
  const Fidelity all = merged_runs({{"test", run}, {"test", run}}).fidelity.value();
  EXPECT_FALSE(all.operations);
  EXPECT_EQ(all.kernels, Share{});
  EXPECT_EQ(all.blocks, (Share{8, 6}));
  EXPECT_EQ(all.values, Values::partial);
}

}  // namespace
}  // namespace weakspot::race::fidelity_test

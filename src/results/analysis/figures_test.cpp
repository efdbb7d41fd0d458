// SPDX-License-Identifier: MIT
// Figures of a study small enough to compute by hand.
#include <gtest/gtest.h>

#include "analysis/report.h"

namespace weakspot::analysis {
namespace {

Cell cell(std::uint64_t weak, double seconds, std::uint64_t interleaved = 10) {
  Cell result;
  result.weak = result.sightings = weak;
  result.interleaved = interleaved;
  result.sequential = 1000 - weak - interleaved;
  result.seconds = seconds;
  return result;
}

// Two devices, three environments; a mutant of each mutator and one conformance test.
std::vector<Study> studies() {
  DeviceResults a, b;
  a.device = "a";
  b.device = "b";
  a.vendor = b.vendor = "acme";
  const auto entry = [](const char* key, Cell rr, Cell mp_coherency, Cell mp, Cell one_loc) {
    return Entry{key,
                 {},
                 {{"RR Mutations Default", rr},
                  {"Message Passing Coherency", mp_coherency},
                  {"Message Passing Default", mp},
                  {"Message Passing Coherency One-Loc", one_loc}}};
  };
  a.entries = {entry("0", cell(10, 2), cell(1, 1), cell(0, 1), cell(2, 1)),
               entry("1", cell(30, 2), cell(2, 1), cell(0, 1), cell(4, 1)),
               entry("2", cell(20, 2), cell(3, 1), cell(0, 1), cell(6, 1))};
  b.entries = {entry("0", cell(0, 1), cell(4, 2), cell(1, 3), cell(0, 1)),
               entry("1", cell(9, 1), cell(0, 2), cell(2, 3), cell(0, 1)),
               entry("2", cell(0, 1), cell(0, 2), cell(0, 3), cell(0, 1))};
  std::vector<DeviceResults> devices;
  devices.push_back(std::move(a));
  devices.push_back(std::move(b));
  std::vector<Study> result;
  result.emplace_back("made up", std::move(devices));
  return result;
}

const Table& table(const Figure& figure, std::string_view name) {
  for (const Table& found : figure.tables) {
    if (found.name == name) return found;
  }
  ADD_FAILURE() << "there is no table " << name;
  return figure.tables.front();
}

TEST(MutationFigure, ScoresAndRates) {
  const std::vector<Study> given = studies();
  const Figure figure = mutation_figure(given, {});
  // a: 15, 3, 0; b: 9, 2, 0.667.
  EXPECT_EQ("study,killed,mutants,score_percent,mean_rate\nmade up,5,6,83.33333333333333,4.944500000000001\n",
            to_csv(table(figure, "mutation")));
  EXPECT_EQ(
      "study,device,killed,mutants,score_percent,mean_rate\nmade up,a,2,3,66.66666666666667,6\nmade "
      "up,b,3,3,100,3.889\n",
      to_csv(table(figure, "mutation_by_device")));
  EXPECT_EQ(
      "By mutator\n"
      "  study   mutator          killed of score % mean death rate /s\n"
      "  made up reversing po-loc      2  2     100             12.000\n"
      "  made up weakening po-loc      2  2     100              2.500\n"
      "  made up weakening sw          1  2      50              0.334\n",
      to_text(table(figure, "mutation_by_mutator")));
}

TEST(MergeFigure, CountsPairs) {
  const std::vector<Study> given = studies();
  const Figure figure = merge_figure(given, {.target = 0.95, .budget = 1});
  // At a ceiling of 3 per second: RR in environment 1 on both, coherency in 2 on a; MP nowhere.
  const Table& chosen = table(figure, "merged_environments");
  ASSERT_EQ(3, chosen.rows.size());
  EXPECT_EQ((std::vector<Value>{"made up", "RR Mutations Default", "1", std::uint64_t{2}, std::uint64_t{2}, 9.0}),
            std::vector<Value>(chosen.rows[0].begin(), chosen.rows[0].end() - 1));
  EXPECT_EQ((std::vector<Value>{"made up", "Message Passing Coherency", "2", std::uint64_t{1}, std::uint64_t{2}, 3.0}),
            std::vector<Value>(chosen.rows[1].begin(), chosen.rows[1].end() - 1));
  EXPECT_EQ("0", full_text(chosen.rows[2][3]));
  EXPECT_NEAR(0.950213, std::get<double>(chosen.rows[1][6]), 1e-6);
  const std::string curve = to_csv(table(figure, "merge"));
  EXPECT_NE(std::string::npos, curve.find("made up,0.95,1,3,6,50\n"));
  EXPECT_NE(std::string::npos, curve.find("made up,0.95,8,5,6,83.33333333333333\n"));
}

TEST(CorrelationFigure, PairsConformanceTestsWithTheirMutants) {
  const std::vector<Study> given = studies();
  const Figure figure = correlation_figure(given, {});
  const Table& bugs = table(figure, "bug_correlation");
  ASSERT_EQ(1, bugs.rows.size());  // b never shows the bug, so that nothing varies
  EXPECT_EQ("a", full_text(bugs.rows[0][1]));
  EXPECT_EQ("Message Passing Coherency", full_text(bugs.rows[0][3]));
  EXPECT_NEAR(1, std::get<double>(bugs.rows[0][4]), 1e-12);
  EXPECT_EQ("made up", full_text(table(figure, "tuning_order").rows.at(0)[0]));
  EXPECT_EQ(9, table(figure, "tuning_priority").rows.size());  // a, b and all, three tests each
  EXPECT_EQ(6, table(figure, "r_squared").rows.size());
}

TEST(PortabilityFigure, HasAllMetricsAndLevels) {
  const std::vector<Study> given = studies();
  const Table found = table(portability_figure(given, {}), "portability");
  EXPECT_EQ(12, found.rows.size());
  EXPECT_EQ("MLFS-F", full_text(found.rows[8][1]));
  EXPECT_EQ("global", full_text(found.rows[8][2]));
  EXPECT_EQ("4", full_text(found.rows[8][4]));  // environments 0 and 1 show four pairs, 2 shows two
}

TEST(VendorFigure, TakesTheBestEnvironmentOfEachDevice) {
  const std::vector<Study> given = studies();
  const Table found = table(vendor_figure(given, {}), "vendors_by_test");
  EXPECT_EQ(
      "study,vendor,test,devices,shown,pairs,mean_percent,median_percent,max_percent\n"
      "made up,acme,RR Mutations Default,2,2,2,1.95,1.95,3\n",
      to_csv({found.name, found.title, found.columns, {found.rows[0]}, found.audience}));
}

TEST(SimilarityFigure, ComparesAllPairs) {
  const std::vector<Study> given = studies();
  const Figure figure = similarity_figure(given, {});
  EXPECT_EQ(1, table(figure, "similarity").rows.size());
  EXPECT_EQ(2, table(figure, "similarity_by_vendor").rows.size());  // acme and all
  EXPECT_TRUE(table(figure, "clusters").rows.empty());              // two devices are no crowd
}

TEST(Report, HasWhatWasAskedFor) {
  const std::vector<Study> given = studies();
  const Analysis some = analyse(given, {"merge"}, {});
  EXPECT_EQ(1, some.figures.size());
  const Analysis all = analyse(given, {}, {.pictures = true, .since = "2026-11-16"});
  EXPECT_EQ(all_figures().size(), all.figures.size());
  const std::string html = to_html(all);
  EXPECT_NE(std::string::npos, html.find("<polyline"));
  // Labels of bars are short.
  EXPECT_NE(std::string::npos, html.find("5 of 6, 83.33 %")) << html;
  EXPECT_NE(std::string::npos, html.find(">0.667/s, 1 of 1<")) << html;
  EXPECT_EQ(std::string::npos, html.find("://"));
  const std::string json = to_json(all);
  EXPECT_NE(std::string::npos, json.find("\"killed\": 5"));
  EXPECT_NE(std::string::npos, json.find("\"errors\": []"));
}

TEST(Table, QuotesAndPads) {
  const Table odd{"t", "Title", {{"a", "a"}, {"b", "b", 2}}, {{std::string("x,\"y\"\nz"), 1.0 / 3}, {Value(), 1e-9}}};
  EXPECT_EQ("a,b\n\"x,\"\"y\"\"\nz\",0.3333333333333333\n,1e-09\n", to_csv(odd));
  const Table plain{"t", "Title", {{"a", "a"}, {"b", "b", 2, true}}, {{std::string("xyz"), 1.0 / 3}, {Value(), 1e-9}}};
  EXPECT_EQ("Title\n  a       b\n  xyz  0.33\n      1e-09\n", to_text(plain));
  EXPECT_NE(std::string::npos, to_html(plain).find("<td class=\"n\">0.33</td>"));
}

TEST(Table, APageRounds) {
  const Table long_numbers{"t", "Title", {{"a", "a"}, {"b", "b"}}, {{std::uint64_t{1234567}, 2.0 / 3}}};
  EXPECT_NE(std::string::npos,
            to_html(long_numbers).find("<td class=\"n\">1\u202f234\u202f567</td><td class=\"n\">0.6667</td>"));
  EXPECT_EQ("a,b\n1234567,0.6666666666666666\n", to_csv(long_numbers));
}

}  // namespace
}  // namespace weakspot::analysis

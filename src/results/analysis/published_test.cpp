// SPDX-License-Identifier: MIT
// The figures of the MC Mutants study: from its own files where these stand beside the project, and everywhere from the
// highest death rate of each mutant (tests/data/mc-mutants).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "analysis/figure.h"
#include "analysis/figures/bad_cells.h"
#include "analysis/read_study.h"
#include "base/build_info.h"
#include "base/file.h"
#include "support/shared_data.h"

namespace weakspot::analysis {
namespace {

// Rows by their leading texts: "pte/intel".
std::map<std::string, std::vector<Value>> rows(const Figure& figure, std::string_view name, std::size_t keys) {
  std::map<std::string, std::vector<Value>> found;
  for (const Table& table : figure.tables) {
    if (table.name != name) continue;
    for (const std::vector<Value>& row : table.rows) {
      std::string key;
      for (std::size_t i = 0; i < keys; ++i) key += (i == 0 ? "" : "/") + full_text(row[i]);
      found[key] = {row.begin() + static_cast<std::ptrdiff_t>(keys), row.end()};
    }
  }
  return found;
}

class Published : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::filesystem::path folder = support::shared_data("mc-mutants");
    if (!folder.empty()) read_ = new ReadStudies(read_studies({folder.string()}));
  }
  static void TearDownTestSuite() { delete read_; }

  void SetUp() override {
    if (read_ == nullptr) GTEST_SKIP() << "the measurements of the MC Mutants study are not beside the source tree";
    ASSERT_TRUE(read_->errors.empty()) << base::render(read_->errors);
  }

  static Studies studies() { return read_->studies; }

  static inline ReadStudies* read_ = nullptr;
};

struct Score {
  const char* key;
  std::uint64_t killed, mutants;
  double percent, mean_rate;
};

void expect_score(const Score& score, const std::vector<Value>& row) {
  ASSERT_EQ(4, row.size()) << score.key;
  EXPECT_EQ(Value(score.killed), row[0]) << score.key;
  EXPECT_EQ(Value(score.mutants), row[1]) << score.key;
  EXPECT_EQ(Value(score.percent), row[2]) << score.key;
  EXPECT_NEAR(score.mean_rate, std::get<double>(row[3]), 5e-4) << score.key;
}

// The headline figures of the paper.
void expect_published_scores(const Studies& studies) {
  const Figure figure = mutation_figure(studies, {});
  auto all = rows(figure, "mutation", 1);
  for (const Score& score : {Score{"site_baseline", 8, 128, 6.25, 2.843},
                             {"site", 59, 128, 46.09375, 11.932},
                             {"pte_baseline", 93, 128, 72.65625, 24437.198},
                             {"pte", 107, 128, 83.59375, 35006.351}}) {
    expect_score(score, all[score.key]);
  }
  auto devices = rows(figure, "mutation_by_device", 2);
  for (const Score& score : {Score{"pte/intel", 21, 32, 65.625, 5546.552},
                             {"pte/amd", 30, 32, 93.75, 23219.239},
                             {"pte/nvidia", 32, 32, 100, 109537.397},
                             {"pte/m1", 24, 32, 75, 1722.217}}) {
    expect_score(score, devices[score.key]);
  }
}

// A study for each name in the file: one environment, in which every mutant dies at its highest rate.
std::vector<Study> studies_of_rates() {
  const base::Result<std::string> csv =
      base::read_file(std::string(base::kSourceDirectory) + "/tests/data/mc-mutants/death_rates.csv");
  std::map<std::string, std::map<std::string, DeviceResults>> by_study;
  if (!csv) return {};
  std::size_t begin = csv->find('\n') + 1;
  while (begin < csv->size()) {
    const std::size_t end = csv->find('\n', begin);
    const std::string line = csv->substr(begin, end - begin);
    begin = end + 1;
    const std::size_t study = line.find(','), device = line.find(',', study + 1), test = line.find(',', device + 1);
    DeviceResults& results = by_study[line.substr(0, study)][line.substr(study + 1, device - study - 1)];
    results.device = results.vendor = line.substr(study + 1, device - study - 1);
    if (results.entries.empty()) results.entries.push_back({"0", {}, {}});
    constexpr double kSeconds = 1000;  // so that a rate of three digits is a whole number of kills
    Cell cell;
    cell.weak = cell.sightings =
        static_cast<std::uint64_t>(std::llround(std::strtod(line.c_str() + test + 1, nullptr) * kSeconds));
    cell.seconds = kSeconds;
    results.entries[0].cells.push_back({line.substr(device + 1, test - device - 1), cell});
  }
  std::vector<Study> studies;
  for (auto& [name, devices] : by_study) {
    std::vector<DeviceResults> results;
    for (auto& [device, of_device] : devices) results.push_back(std::move(of_device));
    studies.emplace_back(name, std::move(results));
  }
  return studies;
}

TEST(PublishedRates, MutationScores) {
  const std::vector<Study> studies = studies_of_rates();
  ASSERT_EQ(4, studies.size());
  expect_published_scores(studies);
}

TEST_F(Published, MutationScores) { expect_published_scores(studies()); }

TEST_F(Published, MergedEnvironments) {
  auto curve = rows(merge_figure(studies(), {}), "merge", 3);
  const auto reached = [&](const char* key) { return curve[key].empty() ? Value() : curve[key][0]; };
  EXPECT_EQ(Value(std::uint64_t{105}), reached("pte/0.99999/64"));
  EXPECT_EQ(Value(std::uint64_t{55}), reached("site/0.99999/64"));
  EXPECT_EQ(Value(std::uint64_t{56}), reached("pte/0.99999/0.015625"));
  EXPECT_EQ(Value(std::uint64_t{46}), reached("pte/0.95/0.0009765625"));
}

TEST_F(Published, Correlations) {
  auto pairs = rows(correlation_figure(studies(), {}), "bug_correlation", 4);
  const auto r = [&](const std::string& key) {
    const std::vector<Value>& row = pairs["correlation_analysis/" + key];
    return row.empty() ? 0 : std::get<double>(row[0]);
  };
  EXPECT_NEAR(0.99649, r("intel/CoRR Default/RR Mutations Default"), 5e-6);
  EXPECT_NEAR(0.96714, r("amd/Message Passing Barrier Variant/Message Passing Barrier Variant 2"), 5e-6);
  EXPECT_NEAR(0.89253, r("nvidia/Message Passing Coherency One-Loc/Message Passing Coherency"), 5e-6);
}

TEST_F(Published, NinetyCellsDoNotAddUp) {
  std::map<std::string, std::size_t> bad;
  for (const Study& study : studies()) bad[study.name()] = bad_cells(study).size();
  EXPECT_EQ((std::map<std::string, std::size_t>{
                {"correlation_analysis", 0}, {"pte", 0}, {"pte_baseline", 0}, {"site", 90}, {"site_baseline", 0}}),
            bad);
}

}  // namespace
}  // namespace weakspot::analysis

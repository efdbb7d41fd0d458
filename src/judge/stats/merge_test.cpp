// SPDX-License-Identifier: MIT
#include "stats/merge.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace weakspot::stats {
namespace {

// One test; a row per environment, a column per device.
RateTable table(std::initializer_list<std::vector<double>> rows) {
  RateTable rates(1, rows.size(), rows.begin()->size());
  std::size_t environment = 0;
  for (const std::vector<double>& row : rows) {
    for (std::size_t device = 0; device < row.size(); ++device) rates.at(0, environment, device) = row[device];
    ++environment;
  }
  return rates;
}

TEST(MergeEnvironments, MoreDevicesAtTheCeilingWin) {
  EXPECT_EQ((MergedEnvironment{1, 2, 10}), choose_environment(table({{1000, 9, 9}, {10, 10, 0}}), 0, 10));
}

TEST(MergeEnvironments, ThenTheLargerLowestRateThatIsNotZero) {
  // Zero does not count as a rate: the second environment's lowest is 7.
  EXPECT_EQ((MergedEnvironment{1, 1, 7}), choose_environment(table({{10, 5, 1}, {0, 12, 7}}), 0, 10));
  // The same below the ceiling.
  EXPECT_EQ((MergedEnvironment{1, 0, 2}), choose_environment(table({{1, 9}, {2, 3}}), 0, 10));
}

TEST(MergeEnvironments, ThenTheFirst) {
  EXPECT_EQ((MergedEnvironment{0, 1, 10}), choose_environment(table({{10, 0}, {0, 10}}), 0, 10));
}

TEST(MergeEnvironments, ThereIsNoneWithoutSightings) {
  EXPECT_EQ(MergedEnvironment{}, choose_environment(table({{0, 0}, {0, 0}}), 0, 10));
}

TEST(MergeEnvironments, CountsPairsOfTestAndDevice) {
  RateTable rates(2, 2, 2);
  rates.at(0, 0, 0) = 3;
  rates.at(0, 1, 1) = 4;
  rates.at(1, 1, 0) = 3;
  rates.at(1, 1, 1) = 2.9;
  const Merged merged = merge_environments(rates, 0.95, 1);  // a ceiling of 3 per second
  EXPECT_EQ(2, merged.reached);
  EXPECT_EQ((std::vector<MergedEnvironment>{{1, 1, 4}, {1, 1, 2.9}}), merged.tests);
  EXPECT_EQ((std::vector<std::size_t>{0, 2, 3, 3}), merge_curve(rates, 0.95, std::vector{0.5, 1.0, 2.0, 1000.0}));
}

}  // namespace
}  // namespace weakspot::stats

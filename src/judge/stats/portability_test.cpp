// SPDX-License-Identifier: MIT
#include "stats/portability.h"

#include <gtest/gtest.h>

namespace weakspot::stats {
namespace {

// Two tests, two devices, three environments.
RateTable rates() {
  RateTable table(2, 3, 2);
  const double values[2][3][2] = {{{1000, 0}, {30, 1}, {20, 2}}, {{0, 8}, {1, 9}, {40, 0}}};
  for (std::size_t test = 0; test < 2; ++test) {
    for (std::size_t environment = 0; environment < 3; ++environment) {
      for (std::size_t device = 0; device < 2; ++device) {
        table.at(test, environment, device) = values[test][environment][device];
      }
    }
  }
  return table;
}

using Environments = std::vector<std::optional<std::size_t>>;

TEST(Portability, ChoosesByMetricAndLevel) {
  struct Case {
    PortabilityMetric metric;
    PortabilityLevel level;
    Environments environments;  // test 0 on devices 0 and 1, test 1 on devices 0 and 1
    double rate_sum;
    std::size_t shown;
  };
  using enum PortabilityMetric;
  using enum PortabilityLevel;
  // Logarithms: environment 0 has ln 1000 + ln 8 = 8.99, environment 1 ln 30 + ln 9 = 5.60, environment 2
  // ln 20 + ln 2 + ln 40 = 7.38.
  const Case cases[] = {
      {mfs, global, {0, 0, 0, 0}, 1008, 2},
      {mlfs, global, {0, 0, 0, 0}, 1008, 2},
      {mlfsf, global, {1, 1, 1, 1}, 41, 4},
      {mfs, per_device, {0, 1, 0, 1}, 1010, 3},
      {mlfs, per_device, {0, 1, 0, 1}, 1010, 3},  // device 0: 6.91, 3.40, 6.68; device 1: 2.08, 2.20, 0.69
      {mlfsf, per_device, {2, 1, 2, 1}, 70, 4},
      {mfs, per_test, {0, 0, 2, 2}, 1040, 2},
      {mlfs, per_test, {0, 0, 2, 2}, 1040, 2},  // test 1: 2.08, 2.20, 3.69
      {mlfsf, per_test, {2, 2, 1, 1}, 32, 4},
      {mfs, per_device_and_test, {0, 2, 2, 1}, 1051, 4},
      {mlfs, per_device_and_test, {0, 2, 2, 1}, 1051, 4},
      {mlfsf, per_device_and_test, {0, 2, 2, 1}, 1051, 4},
  };
  for (const Case& c : cases) {
    const Portable portable = choose_portable(rates(), c.metric, c.level);
    EXPECT_EQ(c.environments, portable.environments) << to_string(c.metric) << " " << to_string(c.level);
    EXPECT_EQ(c.rate_sum, portable.rate_sum) << to_string(c.metric) << " " << to_string(c.level);
    EXPECT_EQ(c.shown, portable.shown) << to_string(c.metric) << " " << to_string(c.level);
  }
}

TEST(Portability, TheUnitOfRatesDoesNotMatter) {
  RateTable small = rates();
  for (std::size_t test = 0; test < 2; ++test) {
    for (std::size_t environment = 0; environment < 3; ++environment) {
      for (std::size_t device = 0; device < 2; ++device) small.at(test, environment, device) *= 1e-6;
    }
  }
  for (const PortabilityMetric metric : kPortabilityMetrics) {
    for (const PortabilityLevel level : kPortabilityLevels) {
      EXPECT_EQ(choose_portable(rates(), metric, level).environments,
                choose_portable(small, metric, level).environments);
    }
  }
}

TEST(Portability, WithoutSightingsThereIsNoEnvironment) {
  const Portable none = choose_portable(RateTable(1, 2, 1), PortabilityMetric::mlfsf, PortabilityLevel::global);
  EXPECT_EQ(Environments{std::nullopt}, none.environments);
  EXPECT_EQ(0, none.shown);
}

TEST(Portability, Names) {
  EXPECT_EQ("MLFS-F", to_string(PortabilityMetric::mlfsf));
  EXPECT_EQ("per device and test", to_string(PortabilityLevel::per_device_and_test));
}

}  // namespace
}  // namespace weakspot::stats

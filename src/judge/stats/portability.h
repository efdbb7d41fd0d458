// SPDX-License-Identifier: MIT
// Environments that serve more than one test or device, after Kirkham et al., OOPSLA 2020 (section 5.2): the metric
// that is maximised, and the level at which one environment is chosen. See merge.h for a choice with a time budget.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "stats/merge.h"

namespace weakspot::stats {

enum class PortabilityMetric {
  mfs,    // the sum of rates
  mlfs,   // the sum of their logarithms; rates of 0 are left out
  mlfsf,  // the same, but each rate of 0 outweighs everything else
};
inline constexpr PortabilityMetric kPortabilityMetrics[] = {PortabilityMetric::mfs, PortabilityMetric::mlfs,
                                                            PortabilityMetric::mlfsf};
std::string_view to_string(PortabilityMetric metric);  // "MFS"

enum class PortabilityLevel { global, per_device, per_test, per_device_and_test };
inline constexpr PortabilityLevel kPortabilityLevels[] = {PortabilityLevel::global, PortabilityLevel::per_device,
                                                          PortabilityLevel::per_test,
                                                          PortabilityLevel::per_device_and_test};
std::string_view to_string(PortabilityLevel level);  // "per device"

struct Portable {
  // For each test and device, at test * devices + device. None where nothing was seen in any environment.
  std::vector<std::optional<std::size_t>> environments;
  double rate_sum = 0;    // sum over all tests on all devices in their environments
  std::size_t shown = 0;  // pairs of test and device with a rate above 0
};

// Among equal environments, the first. Logarithms are taken of multiples of the smallest rate above 0 in the table, so
// that a sighting never counts against an environment, regardless of the unit of the rates.
Portable choose_portable(const RateTable& rates, PortabilityMetric metric, PortabilityLevel level);

}  // namespace weakspot::stats

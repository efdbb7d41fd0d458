// SPDX-License-Identifier: MIT
// The counts and times in files of measurements, with the ranges that keep sums and rates of them meaningful.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/json_fields.h"

namespace weakspot::campaign {

// A GPU needs a year for this many instances, and sixteen such counts add up without overflow.
inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 60;
inline constexpr double kShortestTime = 1e-9;  // seconds
inline constexpr double kLongestTime = 1e9;
inline constexpr std::string_view kTimeRange = "0 or from 1e-9 to 1e9 seconds";

// 0, or from kShortestTime to kLongestTime.
inline bool is_time(double seconds) { return seconds == 0 || (seconds >= kShortestTime && seconds <= kLongestTime); }

inline std::uint64_t count_in(base::JsonFields& fields, std::string_view key) { return fields.whole(key, kMostCount); }
inline double seconds_in(base::JsonFields& fields, std::string_view key) {
  return fields.real(key, is_time, kTimeRange);
}

}  // namespace weakspot::campaign

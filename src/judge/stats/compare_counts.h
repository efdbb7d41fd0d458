// SPDX-License-Identifier: MIT
// Tells from counts whether two runs saw an outcome equally often.
//
// A run saw an outcome in `count` of `instances` instances. The question is whether the chance per instance is the same
// in both runs. Instances are taken to be independent here; run_variation.h allows for runs in which they are not.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weakspot::stats {

struct Seen {
  std::uint64_t count = 0;
  std::uint64_t instances = 0;  // not less than count

  double chance() const { return instances == 0 ? 0 : static_cast<double>(count) / static_cast<double>(instances); }

  friend bool operator==(const Seen&, const Seen&) = default;
};

enum class CountTest : std::uint8_t {
  exact,             // Fisher's, two-sided: all tables with the same sums that are not more likely than this one
  likelihood_ratio,  // G, with one degree of freedom, where every expected count is large
};
std::string_view to_string(CountTest test);

struct CountDifference {
  double p = 1;  // the probability of counts that differ at least this much if the chances are equal
  CountTest test = CountTest::exact;
};
// p is 1 if one side has no instances.
CountDifference compare_counts(const Seen& a, const Seen& b);

// The chance in `a` as a multiple of the chance in `b`. Infinite or 0 where one was never seen, NaN where neither was.
// The interval contains the true ratio with at least the given confidence. Where a count is small, it comes from the
// exact distribution of one count given the sum of both (Clopper and Pearson), else from the normal distribution of the
// ratio's logarithm.
struct RateRatio {
  double estimate = 0;
  double low = 0;
  double high = 0;
};
RateRatio rate_ratio(const Seen& a, const Seen& b, double confidence = 0.95);

// p-values adjusted for multiple comparisons by Holm's step-down method: the chance that any adjusted value below a
// level is a false alarm is at most that level, even if the comparisons depend on each other (outcomes of one test do).
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace weakspot::stats

// SPDX-License-Identifier: MIT
// The variation of an outcome's chance from run to run while nothing is changed.
//
// Instances of a run are not independent: a busy machine, another placement of threads or memory, or partners that
// drift out of step make whole stretches of them more or less likely to be weak. Such changes are slow, and a longer
// run does not average them away: measured on a CPU, two runs differ about as much as two slices of one run. So that is
// the rule here: the chance of a run varies as the chances of its slices do. Where a side has several runs, they tell
// it better than slices.
#pragma once

#include <span>
#include <vector>

#include "stats/compare_counts.h"
#include "stats/rates.h"

namespace weakspot::stats {

// The sightings of an outcome in each slice of a run, in order of time.
using SlicedRun = std::vector<Seen>;

struct RunVariation {
  double relative = 0;  // variance of the chance of one run, as a multiple of its square
  double degrees = 0;   // degrees of freedom behind `relative`; 0: not known
  double runs_a = 1;    // an effective number of runs of each side: their mean varies less
  double runs_b = 1;

  bool is_known() const { return degrees > 0; }
  // The relative variance of the ratio of both sides.
  double of_ratio() const { return relative * (1 / runs_a + 1 / runs_b); }
};

// The variation of the runs of both sides together, each with its own mean. Not known if no run has two slices of some
// size.
RunVariation run_variation(std::span<const SlicedRun> a, std::span<const SlicedRun> b);

// The same for runs of many things, such as tests, each with its own mean: what one run on either side of a ratio
// varies by, told by the slices of all.
RunVariation pooled_variation(std::span<const SlicedRun> runs);

// The interval of a ratio for runs that vary, from the one for independent instances. Its upper end may be infinite.
Interval widened(const Interval& interval, double estimate, const RunVariation& variation, double confidence);

// The same questions as in compare_counts.h, for runs that vary. Where the variation is not known, the answers are
// those of independent instances.
CountDifference compare_counts(const Seen& a, const Seen& b, const RunVariation& variation);
RateRatio rate_ratio(const Seen& a, const Seen& b, const RunVariation& variation, double confidence = 0.95);

}  // namespace weakspot::stats

// SPDX-License-Identifier: MIT
// Compares an old score with a new one to tell whether the tests got weaker. Three questions share the probability of a
// false alarm: whether a mutant's rate fell below `tolerance` times the old one; whether the rate of all kills together
// did, when single mutants have too few kills to tell; and whether most mutants die less often, on average by that
// factor. Kills of one run are not independent of each other: how much runs vary is told by the parts of all runs of
// both scores together (stats/run_variation.h), where these are long enough to have parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/score.h"

namespace weakspot::campaign {

// The change of a mutant's rate. Rates vary from run to run by more than chance alone explains, so `weaker` means below
// `tolerance` times the old rate beyond reasonable doubt.
enum class Change : std::uint8_t { same, weaker, stronger, lost, gained, missing };
std::string_view to_string(Change change);

struct MutantChange {
  std::string test;
  Change change = Change::same;
  double before = 0, now = 0;  // kills per second
  stats::Interval ratio;       // now to before; high may be infinite

  bool is_worse() const { return change == Change::weaker || change == Change::lost || change == Change::missing; }
};

struct ScoreCompareOptions {
  double confidence = 0.99;  // for all questions together
  double tolerance = 0.5;
};

struct ScoreComparison {
  std::vector<MutantChange> mutants;  // in the order of the old score
  // Geometric mean over the mutants killed before or now, with half a kill in place of none. Nothing without kills.
  std::optional<double> mean_ratio;
  stats::Interval together;         // the ratio of now to before, assuming the same ratio for every mutant
  stats::RunVariation variation;    // from run to run, of all mutants
  stats::Interval slower;           // the probability that a changed rate is a lower one
  bool is_weaker_together = false;  // by the tolerance
  bool most_are_slower = false;     // and on average by the tolerance

  bool is_weaker() const;
};

ScoreComparison compare_scores(const Score& before, const Score& now, const ScoreCompareOptions& options = {});

// The same, but mutants that seem weaker are measured again, at most twice, and count only if they stay weaker: the
// rates of a shared device change from minute to minute. `now` then has the last measurement of each mutant. If the
// meter does not stay whole, the comparison means nothing.
ScoreComparison compare_and_confirm(const Score& before, Score& now, ScoreMeter& meter,
                                    const ScoreCompareOptions& options = {});

}  // namespace weakspot::campaign

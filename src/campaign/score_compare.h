// Whether the tests got weaker: an old score against a new one. Three questions are asked, which share the probability
// of a false alarm: of each mutant, whether it dies less often than `tolerance` times as often as it did; the same of
// all kills together, where each mutant has too few to tell; and whether most mutants die less often, and by so much on
// average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/score.h"

namespace weakspot::campaign {

// How a mutant fares now. Rates of devices vary from run to run by more than chance alone would explain; what is called
// weaker is slower than `tolerance` times the old rate beyond reasonable doubt.
enum class Change : std::uint8_t { same, weaker, stronger, lost, gained, missing };
std::string_view to_string(Change change);

struct MutantChange {
  std::string test;
  Change change = Change::same;
  double before = 0, now = 0;  // kills per second
  stats::Interval ratio;       // of now to before; high may be infinite

  bool is_worse() const { return change == Change::weaker || change == Change::lost || change == Change::missing; }
};

struct ScoreCompareOptions {
  double confidence = 0.99;  // for all questions together
  double tolerance = 0.5;
};

struct ScoreComparison {
  std::vector<MutantChange> mutants;  // in the order of the old score
  // Geometric, over the mutants killed before or now; no kills count as half a kill. None: there was no kill.
  std::optional<double> mean_ratio;
  stats::Interval together;         // the ratio of now to before of all kills, if it is the same for every mutant
  stats::Interval slower;           // the probability that a mutant that dies at another rate dies at a lower one
  bool is_weaker_together = false;  // by the tolerance
  bool most_are_slower = false;     // and on average by the tolerance

  bool is_weaker() const;
};

ScoreComparison compare_scores(const Score& before, const Score& now, const ScoreCompareOptions& options = {});

// The same, but what seems weaker is measured again, twice at most, and only what stays weaker counts: rates of a
// device that others use move from minute to minute. `now` has the last measurement of each mutant. If the meter does
// not stay whole there is nothing to be said.
ScoreComparison compare_and_confirm(const Score& before, Score& now, ScoreMeter& meter,
                                    const ScoreCompareOptions& options = {});

}  // namespace weakspot::campaign

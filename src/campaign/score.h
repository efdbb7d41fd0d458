// The mutation score of a suite on a device: which mutants die, how fast, by mutator, and whether a change has made the
// tests weaker.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

struct ScoredMutant {
  std::string test;
  std::string mutator;
  std::string environment;  // where it died most often
  Slice slice;              // there
  double seconds = 0;       // in all environments

  friend bool operator==(const ScoredMutant&, const ScoredMutant&) = default;
};

struct Score {
  std::string device, device_name, driver, started;
  std::size_t environments = 0;
  std::vector<ScoredMutant> mutants;

  std::size_t killed() const;
  double mutation_score() const;   // the part that was killed
  double mean_death_rate() const;  // kills per second in the best environment of each, averaged
};

// Score by mutator, in the order in which the mutants name them.
struct MutatorScore {
  std::string mutator;
  std::size_t mutants = 0, killed = 0;
  double mean_death_rate = 0;
};
std::vector<MutatorScore> by_mutator(const Score& score);

std::string to_json(const Score& score);
base::Result<Score> score_from_json(const base::Source& text);

// Each mutant in each environment for so many seconds.
Score measure_score(const std::vector<std::string>& tests, const std::vector<std::string>& mutators,
                    const std::vector<codegen::TestEnvironment>& environments, double seconds, std::uint64_t seed,
                    Measurer& measurer, RunObserver& observer);

// How a mutant fares now. Rates of devices vary from run to run by more than chance alone would explain; what is called
// weaker is slower than `tolerance` times the old rate beyond reasonable doubt.
enum class Change : std::uint8_t { same, weaker, stronger, lost, gained, missing };
std::string_view to_string(Change change);

struct MutantChange {
  std::string test;
  Change change = Change::same;
  double before = 0, now = 0;  // kills per second
  stats::Interval ratio;       // of now to before; high may be infinite
};

struct ScoreCompareOptions {
  double confidence = 0.99;  // for all mutants together
  double tolerance = 0.5;
};

struct ScoreComparison {
  std::vector<MutantChange> mutants;  // in the order of the old score
  double mean_ratio = 1;              // geometric, over the mutants killed in both
  stats::Interval slower;             // the probability that a mutant is slower now
  bool is_weaker = false;             // a mutant is weaker, lost or missing, or most are slower and by the tolerance
};

ScoreComparison compare_scores(const Score& before, const Score& now, const ScoreCompareOptions& options = {});

}  // namespace weakspot::campaign

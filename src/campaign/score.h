// The mutation score of a suite on a device: which mutants die, how fast, and by mutator. Whether a change has made the
// tests weaker is for score_compare.h.
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

  double rate() const { return slice.rate().value; }

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

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
// The mutation score of a suite on a device: which mutants die, how fast, and by mutator. score_compare.h tells whether
// a change made the tests weaker.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

struct ScoredMutant {
  std::string test;
  std::string mutator;
  std::string environment;  // the one in which it dies fastest
  Slice slice;              // there
  double seconds = 0;       // in all environments
  std::string model;        // the one that says it can die; empty: none was asked

  double rate() const { return slice.rate().value; }

  friend bool operator==(const ScoredMutant&, const ScoredMutant&) = default;
};

struct Score {
  std::string device, device_name, driver, started;
  std::size_t environments = 0;
  std::vector<ScoredMutant> mutants;
  std::vector<UnobservableTest> unobservable;  // not among the mutants

  std::size_t killed() const;
  double mutation_score() const;   // the fraction that was killed
  double mean_death_rate() const;  // kills per second in the best environment of each, averaged
};

// Scores by mutator, in the order of their first mutants.
struct MutatorScore {
  std::string mutator;
  std::size_t mutants = 0, killed = 0;
  double mean_death_rate = 0;
};
std::vector<MutatorScore> by_mutator(const Score& score);

std::string to_json(const Score& score);
base::Result<Score> score_from_json(const base::Source& text);

struct ScoreSetup {
  std::vector<std::string> tests, mutators;  // in the measurer's numbering
  std::vector<codegen::TestEnvironment> environments;
  double seconds = 0.01;  // for each mutant in each environment
  std::uint64_t seed = 1;
  std::vector<std::string> models;  // by test: the one that says it can die; empty: none was asked
};

// Measures scores. A slice in which the device was lost is measured again; a device that stays lost is given up. A
// score that ended so, or that the user interrupted, is not fit for comparisons.
class ScoreMeter {
 public:
  // Measurer and observer must outlive it.
  ScoreMeter(ScoreSetup setup, Measurer& measurer, RunObserver& observer)
      : setup_(std::move(setup)), measurer_(measurer), observer_(observer) {}

  Score measure();
  // Measures these mutants again, with new draws. All mutants take turns, so that it takes as long as the first time:
  // a slowdown of some seconds then affects only some of the slices.
  void measure_again(const std::vector<std::size_t>& mutants, Score& score);

  bool is_interrupted() const { return interrupted_; }
  bool is_lost() const { return losses_.is_gone(); }
  bool is_whole() const { return !is_interrupted() && !is_lost(); }
  const std::string& problem() const { return problem_; }  // empty unless the device was lost

 private:
  double slice_part() const;  // of the whole measurement
  void take(std::size_t test, std::size_t environment, std::uint64_t seed, ScoredMutant& mutant);
  ScoredMutant unmeasured(std::size_t test) const;

  ScoreSetup setup_;
  Measurer& measurer_;
  RunObserver& observer_;
  std::uint64_t rounds_ = 0;
  std::size_t taken_ = 0;  // slices of this round
  Losses losses_;
  bool interrupted_ = false;
  std::string problem_;
};

}  // namespace weakspot::campaign

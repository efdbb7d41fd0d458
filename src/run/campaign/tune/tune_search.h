// SPDX-License-Identifier: MIT
// The state that all strategies of a search share: the trials of each test, the time spent, and the best so far.
#pragma once

#include <map>
#include <vector>

#include "campaign/tune.h"

namespace weakspot::campaign {

// The confidence with which one environment is called worse than another while searching.
inline constexpr double kRaceConfidence = 0.95;

class Search {
 public:
  Search(std::size_t tests, EnvironmentSpace& space, Measurer& measurer, const TuneOptions& options,
         const TuneWatch& watch);

  bool is_over() const { return stopped_ || result_.seconds >= search_budget_; }
  // Measures and adds to the trial. A slice of 0 seconds: the test cannot run in that environment.
  Slice measure(std::size_t test, std::size_t environment, double seconds);
  // Makes the trial the best of its test if it is better.
  void promote(std::size_t test, std::size_t environment);

  // Makes the trial the best of its test.
  void prefer(std::size_t test, std::size_t environment);

  double seconds() const { return result_.seconds; }
  const Trial* best(std::size_t test) const;
  const Trial& trial(std::size_t test, std::size_t environment) const { return trials_[test].at(environment); }
  const std::map<std::size_t, Trial>& trials(std::size_t test) const { return trials_[test]; }
  bool was_tried(std::size_t test, std::size_t environment) const { return trials_[test].contains(environment); }
  double seconds(std::size_t test) const { return result_.tests[test].seconds; }
  // The first test of those that have had the least time. `among`: the tests that still take part.
  std::size_t neediest(const std::vector<bool>& among) const;
  // Surely worse than the best of its test.
  bool is_beaten(std::size_t test, std::size_t environment) const;

  EnvironmentSpace& space() { return space_; }
  Measurer& measurer() { return measurer_; }
  const TuneOptions& options() const { return options_; }
  base::Rng& rng() { return rng_; }

  // Measures the best trials again and again, to see whether their rates are stable.
  void check();
  TuneResult finish();

 private:
  // Counts the time of a slice, and notices when the search must end.
  void account(std::size_t test, const Slice& slice, double asked);
  std::vector<Cell> worth_checking() const;

  EnvironmentSpace& space_;
  Measurer& measurer_;
  const TuneOptions& options_;
  const TuneWatch& watch_;
  // Grows with the budget, so that a search with a larger one takes the same steps and more.
  double search_budget_;
  base::Rng rng_;
  std::vector<std::map<std::size_t, Trial>> trials_;  // by test and environment
  std::vector<std::optional<std::size_t>> best_;
  TuneResult result_;
  std::vector<std::vector<double>> checked_;  // rates by test
  Losses losses_;
  bool stopped_ = false;
};

void search_randomly(Search& search, std::size_t tests, bool peeking);
void search_adaptively(Search& search, std::size_t tests);

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
// Searches for the environments in which tests show their outcomes most often per second of device time.
//
// Three strategies. `random` gives every environment that it draws the same time. `peeking` is the random search of
// Kirkham et al. (OOPSLA 2020, section 5.1): it looks after each tenth of that time and drops an environment once it is
// surely worse than the best. `adaptive` spends each slice where a model of tests and environments promises most, tries
// environments found for one test on the others, and draws most new ones near good ones.
//
// A search is a function of its seed and of what it measures: with the same measurements it takes the same steps, which
// is what makes it resumable (tune_journal.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/environment_space.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

enum class Strategy : std::uint8_t { random, peeking, adaptive };
std::string_view to_string(Strategy strategy);
std::optional<Strategy> strategy_named(std::string_view name);

struct TuneOptions {
  Strategy strategy = Strategy::adaptive;
  double budget = 60;        // seconds of the device, for all tests together
  double evaluation = 0.02;  // seconds that random search gives an environment; adaptive gives at most 8 times that
  double least = 2e-3;       // seconds, the shortest slice that makes sense
  double jitter = 0;         // relative deviation of a device's rate from one slice to the next
  // At the end, the best environment of each test is measured in this many slices, to see whether its rate is stable.
  // The slices are short and take at most a tenth of the budget; tests for which that is too little are not checked.
  // The steps of the search do not depend on it.
  std::size_t checks = 0;
  std::uint64_t seed = 1;
};

// The measurements of a test in one environment.
struct Trial {
  std::size_t environment = 0;  // number in the space
  Slice sum;
  std::vector<double> slice_rates;  // in the order of time

  friend bool operator==(const Trial&, const Trial&) = default;
};

struct TunedTest {
  std::optional<Trial> best;  // nothing if no measurement succeeded
  double found_after = 0;     // device seconds spent on all tests when `best` was found
  double seconds = 0;         // spent on this test
  std::size_t tried = 0;
  std::optional<bool> is_stable;  // the best has the same rate at the end; nothing: too few slices or kills to tell
  std::string problem;            // the last error, if no measurement succeeded
};

struct TuneResult {
  std::vector<TunedTest> tests;
  double seconds = 0;  // device time
  std::uint64_t slices = 0;
  bool is_interrupted = false;
  std::string lost;  // why the device was given up, if it was
};

// Called after every slice with the seconds spent, the test and its best so far. True stops the search.
using TuneWatch = std::function<bool(double seconds, std::size_t test, const Trial* best)>;

TuneResult tune(std::size_t tests, EnvironmentSpace& space, Measurer& measurer, const TuneOptions& options,
                const TuneWatch& watch = {});

}  // namespace weakspot::campaign

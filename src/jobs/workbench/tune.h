// SPDX-License-Identifier: MIT
// Searches for the environments that show tests' outcomes most often, and writes what it found.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/tune.h"
#include "workbench/ending.h"
#include "workbench/rate_source.h"

namespace weakspot::workbench {

struct TuneRequest {
  RateRequest rates;
  campaign::Strategy strategy = campaign::Strategy::adaptive;
  double budget = 60;                // seconds of device time, for all tests together
  std::optional<double> evaluation;  // seconds that random search gives an environment; none: 0.02, or 1 with a table
  std::uint64_t seed = 1;
  std::vector<std::string> starts;  // environments to try first, as load_environments() takes them
  bool scratch = false;             // without starts: begin with none of the environments that are known to be good
  std::string out;                  // the result's file, with a journal beside it that makes the search resumable
  std::string store;                // the store that gets the result; empty: none
};

struct TunedResult {
  std::string device, device_name, driver;
  campaign::Strategy strategy = campaign::Strategy::adaptive;
  std::uint64_t seed = 1;
  double budget = 0;
  std::vector<std::string> names;                             // names of the tests
  std::vector<std::string> models;                            // by test: the one that said it can be seen; may be empty
  std::vector<std::optional<codegen::TestEnvironment>> best;  // by test; none if nothing could be measured
  campaign::TuneResult search;                                // use `best` instead of its numbers of environments
  std::vector<campaign::UnobservableTest> unobservable;       // tests that the device cannot show; not searched for
  std::size_t replayed = 0;                                   // slices that came from the journal
  bool journal_was_torn = false;                              // its last line was not complete and has been dropped
  base::Diagnostics problems;  // a device that was given up, a file that could not be written
  Ending ending = Ending::fine;
};

// The file is written unless the search was cancelled or the device given up: then the journal has all there is.
base::Result<TunedResult> tune(const TuneRequest& request, campaign::Executor& executor,
                               campaign::RunObserver& observer);

// The form of the file.
std::string to_json(const TunedResult& result);

}  // namespace weakspot::workbench

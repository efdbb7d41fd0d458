// SPDX-License-Identifier: MIT
// Measures which mutants die and how fast, and compares with an earlier score.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/score_compare.h"
#include "workbench/ending.h"
#include "workbench/rate_source.h"
#include "workbench/run_tests.h"

namespace weakspot::workbench {

struct ScoreRequest {
  RateRequest rates;
  std::vector<std::string> environments;  // as load_environments() takes them; none: the sweep
  double seconds = 0.01;                  // device time, per mutant and environment
  std::uint64_t seed = 1;
  std::string out;      // the file that the score is written to; empty: none
  std::string store;    // the store that gets the score; empty: none
  std::string against;  // the file of an earlier score; empty: none
  campaign::ScoreCompareOptions compare;
  Clock now;
};

struct ScoreResult {
  campaign::Score score;  // incomplete if the measuring was cut short
  std::optional<campaign::Score> before;
  std::optional<campaign::ScoreComparison> comparison;  // only for a complete score
  base::Diagnostics problems;                           // why the score is not complete, or was not written
  Ending ending = Ending::fine;                         // a finding: the tests got weaker
};

// A score that is not complete is not written.
base::Result<ScoreResult> score(const ScoreRequest& request, campaign::Executor& executor,
                                campaign::RunObserver& observer);

}  // namespace weakspot::workbench

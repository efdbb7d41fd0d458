// SPDX-License-Identifier: MIT
// Repeats a recorded run and tells whether its outcomes show again.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "workbench/ending.h"
#include "workbench/run_tests.h"

namespace weakspot::workbench {

struct ReplayRequest {
  std::string file;        // a file of records
  std::size_t number = 0;  // which record, from 1; 0: the first with a forbidden outcome, or the first
  std::string device;      // empty: the record's
  double times = 1;        // the instances, as a multiple of the record's
  RunFiles files;
  Clock now;
  const std::atomic<bool>* stop = nullptr;  // ends the model's thinking; null: nothing does
};

// An outcome of the record that was looked for.
struct Reappearance {
  std::string outcome;
  std::uint64_t then = 0, now = 0;  // counts of the outcome
};

struct ReplayResult {
  campaign::RunRecord record;  // the one that was repeated
  campaign::RunGroup again;    // one record
  // The forbidden outcomes of the record, or if it has none, the weak ones.
  std::vector<Reappearance> outcomes;
  bool other_code = false;     // the device ran other code than the record's
  base::Diagnostics problems;  // files that could not be written, tests that could not be judged
  Ending ending = Ending::fine;
};

base::Result<ReplayResult> replay(const ReplayRequest& request, campaign::Executor& executor, RunWatch& watch);

}  // namespace weakspot::workbench

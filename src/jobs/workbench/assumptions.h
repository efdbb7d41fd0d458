// SPDX-License-Identifier: MIT
// Holds assumptions of programs against a device and its model: the tests of corpus/assumptions.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/assumption_table.h"
#include "campaign/runner.h"
#include "workbench/ending.h"
#include "workbench/run_session.h"

namespace weakspot::workbench {

struct AssumptionsRequest {
  std::string device;                     // as find_devices() takes it; empty: the default device
  std::vector<std::string> environments;  // as choose_environments() takes them; none: the best known for each test
  double seconds = 1;                     // per test
  std::uint64_t instances = 0;            // the least number of each run, instead of seconds; 0: seconds
  std::uint64_t seed = 1;
  std::string model;                        // the judge; empty: the platform's
  std::string html;                         // the file that the table is written to; empty: none
  const std::atomic<bool>* stop = nullptr;  // the user's wish to end
};

template <typename Table>
struct TableResult {
  Table table;
  base::Diagnostics problems;
  Ending ending = Ending::fine;  // a finding: an outcome that the model forbids was seen
};

// The issues of the paper's Table 2: every test of corpus/assumptions, each with its fenced forms.
base::Result<TableResult<campaign::AssumptionTable>> assumptions(const AssumptionsRequest& request,
                                                                 campaign::Executor& executor, RunWatch& watch);

// Judges the tests for the device and runs them there, in this order; a test that cannot run says so in its entry.
// `ending` gets worse with what happens.
base::Result<std::vector<campaign::AssumptionRun>> judge_and_run(const std::vector<litmus::LitmusTest>& tests,
                                                                 const backend::DeviceInfo& device,
                                                                 const AssumptionsRequest& request,
                                                                 campaign::Executor& executor, RunWatch& watch,
                                                                 Ending& ending);

// The idioms of the catalogue, by test: for a test that holds the corpus against it.
std::vector<std::string> catalogued_tests();

}  // namespace weakspot::workbench

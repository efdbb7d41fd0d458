// SPDX-License-Identifier: MIT
// Runs tests on devices and judges every outcome by a memory model.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "workbench/ending.h"
#include "workbench/run_session.h"

namespace weakspot::workbench {

// Gives the date and time for the beginning of a record. Without a function, records have none.
using Clock = std::function<std::string()>;

struct RunTestsRequest {
  std::vector<std::string> tests;         // as for_each_test() takes them
  std::vector<litmus::LitmusTest> given;  // tests that have been read already; they run after the others
  std::vector<std::string> devices;       // as find_devices() takes them
  std::vector<std::string> environments;  // as choose_environments() takes them
  double seconds = 5;                     // per test and device, shared by the environments
  std::uint64_t instances = 0;            // per test, device and environment, instead of seconds; 0: seconds
  bool optcheck = false;                  // checks that the code is the test
  bool split = false;                     // runs each test's splits over a CPU and a GPU instead (gen/split.h)
  bool until_seen = false;                // leaves out the other environments once the test's outcome was seen
  std::uint64_t seed = 1;
  std::uint64_t memory = 0;                 // bytes on the device; 0: a quarter of what is free
  double deadline = 0;                      // seconds, after which a run is given up; 0: some time beyond `seconds`
  std::string model;                        // a name or a path; empty: see judging_model()
  double judging = 0;                       // seconds for the model, per test; 0: as many as `seconds`, up to 20
  const std::atomic<bool>* stop = nullptr;  // ends the model's thinking; null: nothing does
  RunFiles files;
  Clock now;
};

struct RunTestsResult {
  std::vector<campaign::RunRecord> records;
  std::map<std::string, std::size_t> verdicts;  // number of groups by verdict word
  base::Diagnostics problems;                   // files that could not be written, tests that could not be judged
  Ending ending = Ending::fine;
};

// Fails before the first run if the request is bad, or later if a model cannot be read. Failures of devices are in the
// records and in the ending.
base::Result<RunTestsResult> run_tests(const RunTestsRequest& request, campaign::Executor& executor, RunWatch& watch);

}  // namespace weakspot::workbench

// SPDX-License-Identifier: MIT
// Runs a conformance suite on devices and tells what the result is worth.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/conform_report.h"
#include "workbench/ending.h"
#include "workbench/run_tests.h"

namespace weakspot::workbench {

// Files that the reports go to; empty: none.
struct ConformFiles {
  std::string json, junit, sarif, html;
  std::string suite;  // the suite with the rates measured here; for one device
  std::string store;  // the store that gets the report
};

struct ConformRequest {
  std::vector<std::string> devices;       // as find_devices() takes them
  std::string suite;                      // as load_suite() takes it
  std::vector<std::string> environments;  // as load_environments() takes them; none: the suite's
  campaign::ConformOptions options;       // `setup` is filled in for each device
  std::string model;                      // a name or a path; empty: see judging_model()
  std::uint64_t memory = 0;               // bytes on each device; 0: slice_memory()
  bool strict = false;                    // an inconclusive verdict is a finding
  ConformFiles files;
  Clock now;
  const std::atomic<bool>* stop = nullptr;  // ends the models' thinking; null: nothing does
};

// Told how things go on, on one device after the other.
class ConformWatch : public campaign::RunObserver {
 public:
  virtual void device_begins(const backend::DeviceInfo& /*device*/) {}
  virtual void device_ended(const campaign::ConformReport& /*report*/) {}
};

struct ConformResult {
  std::vector<campaign::ConformanceSuite> suites;  // by device; the reports refer to them
  campaign::ConformReports reports;
  bool suite_unsaved = false;  // a suite was to be saved, but not everything was measured
  base::Diagnostics problems;  // files that could not be written, tests that could not be judged
  Ending ending = Ending::fine;

  ConformResult() = default;
  ConformResult(ConformResult&&) = default;
  ConformResult& operator=(ConformResult&&) = default;
};

base::Result<ConformResult> conform(const ConformRequest& request, campaign::Executor& executor, ConformWatch& watch);

}  // namespace weakspot::workbench

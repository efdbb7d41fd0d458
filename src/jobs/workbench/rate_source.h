// SPDX-License-Identifier: MIT
// The source of rates for tune and score: tests on a device, or a table of recorded rates.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/environment_space.h"
#include "campaign/measure.h"
#include "campaign/recorded.h"
#include "litmus/test.h"
#include "workbench/environments.h"

namespace weakspot::workbench {

struct RateRequest {
  // Files, tests of the corpus, and suites, which give their mutants, or all of their tests if they have no mutants;
  // empty: mc-mutants. For a recorded table: names or parts of names; empty: all of its tests.
  std::vector<std::string> tests;
  std::string device;                       // an id, or "recorded:FILE"; empty: the default device
  std::uint64_t memory = 0;                 // bytes on the device; 0: slice_memory()
  std::string started;                      // date and time, for records; may be empty
  const std::atomic<bool>* stop = nullptr;  // the user's wish to end, for what the observer is not asked in
};

struct RateSource {
  std::string device, device_name, driver;
  std::vector<campaign::UnobservableTest> unobservable;  // tests that the device cannot show; not among the others
  std::vector<std::string> names;                        // names of the tests
  std::vector<std::string> models;                       // by test: the one that said it can be seen; empty: none
  std::vector<std::string> mutators;                     // by test; empty for a test that is not a mutant
  std::vector<std::string> hashes;                       // by test: of what it asks, or of what was recorded
  std::unique_ptr<campaign::Measurer> measurer;
  Environments sweep;  // good on many devices; with a table, all of its environments
  Environments known;  // the start of a search: the environments of the device's suite, and the sweep
  campaign::SpaceFor machine = campaign::SpaceFor::gpu;
  bool is_recorded = false;

  // Objects that the measurer refers to.
  std::unique_ptr<campaign::RecordedTable> table;
  std::unique_ptr<std::vector<litmus::LitmusTest>> tests;
};

// Executor and observer must outlive the source. Fails if the device can show none of the tests.
base::Result<RateSource> open_rates(const RateRequest& request, campaign::Executor& executor,
                                    campaign::RunObserver& observer);

// The error for a device that was given up.
base::Diagnostic device_is_gone(const std::string& device, const std::string& problem);

}  // namespace weakspot::workbench

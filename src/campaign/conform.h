// A conformance run on one device: measures how fast the mutants of each test die, chooses environments and times from
// that, runs the tests, and says what the result is worth.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/conform_plan.h"
#include "campaign/conformance_suite.h"
#include "campaign/measure.h"
#include "campaign/run_record.h"

namespace weakspot::campaign {

enum class ConformVerdict : std::uint8_t {
  conformant,    // nothing forbidden, and every mutant would have shown itself with the probability asked for
  unobservable,  // of a test: nothing forbidden, but the device can show none of its mutants
  inconclusive,  // nothing forbidden, but too little time, or no way, to be that sure
  violation,     // something forbidden was seen
};
std::string_view to_string(ConformVerdict verdict);

struct ConformOptions {
  double budget = 5;         // seconds of device time, measuring included
  double target = 0.99999;   // the reproducibility that every test is to have
  double measuring = 0.35;   // the part of the budget in which mutants are measured
  bool trust_rates = false;  // take the rates that the suite has, measure nothing
  std::uint64_t seed = 1;
  MeasureSetup setup;
};

struct MutantResult {
  const SuiteMutant* mutant = nullptr;
  std::vector<Slice> slices;   // by environment of the suite; empty ones were not measured
  std::vector<double> rates;   // the same, kills per second
  double expected_kills = 0;   // in the time that its test ran
  double reproducibility = 0;  // of killing it in such a run

  bool counts() const { return mutant->status == MutantStatus::observable; }
};

struct TestResult {
  const SuiteTest* test = nullptr;
  std::vector<MutantResult> mutants;
  PlannedTest plan;
  std::vector<RunRecord> records;  // one per part of the plan
  double seconds = 0;              // of the device
  double reproducibility = 0;      // of the mutant that would be killed least; 0 if there is none that counts
  ConformVerdict verdict = ConformVerdict::inconclusive;
  std::string reason;  // for inconclusive and unobservable
};

struct ConformReport {
  std::string device, device_name, driver, started, program;
  ConformOptions options;
  std::vector<TestResult> tests;
  double measuring_seconds = 0;  // of the device
  double testing_seconds = 0;
  double compile_seconds = 0;  // waited for
  ConformVerdict verdict = ConformVerdict::inconclusive;
  double total_reproducibility = 0;  // of all tests that have mutants that count

  double device_seconds() const { return measuring_seconds + testing_seconds; }
  std::vector<RunRecord> records() const;
};

// What is expected of a test; asked once the device has been told what to compile.
using Judge = std::function<base::Result<stats::Expected>(const litmus::LitmusTest&)>;

// The suite must outlive the report. Fails if the judge does; whatever happens to the device is in the report.
base::Result<ConformReport> conform(const ConformanceSuite& suite, const ConformOptions& options, const Judge& judge,
                                    Executor& executor, RunObserver& observer);

// The suite with the rates of the report in place of its own, and only environments that are of use. Mutants that were
// measured and never killed become `unseen`.
ConformanceSuite curated(const ConformanceSuite& suite, const ConformReport& report);

}  // namespace weakspot::campaign

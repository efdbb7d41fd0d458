// A conformance run on one device: measures how fast the mutants of each test die, chooses environments and times from
// that, runs the tests, and says what the result is worth.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/conform/conform_plan.h"
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
  double sure_kills = 0;       // the same by the lower ends of the rates' intervals, where they were measured
  double reproducibility = 0;  // of killing it in such a run, with so many

  // Kills per second in an environment, by the lower end of the interval if they were measured.
  double sure_rate(std::size_t environment) const;
  double rate_of_suite(std::size_t environment) const;  // 0: none
  bool was_measured() const;
  bool was_killed() const;
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
  const ConformanceSuite* suite = nullptr;
  std::string device, device_name, driver, started, program;
  ConformOptions options;
  std::vector<TestResult> tests;
  double measuring_seconds = 0;  // of the device
  double testing_seconds = 0;
  double compile_seconds = 0;  // waited for
  ConformVerdict verdict = ConformVerdict::inconclusive;
  std::optional<double> total_reproducibility;  // of all tests that have mutants that count; none if there are none
  std::string problem;                          // why the device was given up; empty if it was not

  double device_seconds() const { return measuring_seconds + testing_seconds; }
  std::vector<RunRecord> records() const;
};

// What is expected of a test; asked once the device has been told what to compile.
using Judge = std::function<base::Result<stats::Expected>(const litmus::LitmusTest&)>;

// The suite must outlive the report. Fails if the judge does; whatever happens to the device is in the report.
base::Result<ConformReport> conform(const ConformanceSuite& suite, const ConformOptions& options, const Judge& judge,
                                    Executor& executor, RunObserver& observer);

// The report's suite with the rates measured in place of its own, and only environments that are of use. A mutant that
// was not killed keeps the rates that the suite had for it. Without any it becomes `unseen`, if it was measured for so
// long that, even at the upper end of the interval of its rate, its test's share of the budget would not be enough.
ConformanceSuite curated(const ConformReport& report);

}  // namespace weakspot::campaign

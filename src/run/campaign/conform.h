// SPDX-License-Identifier: MIT
// A conformance run on one device: measures how fast the mutants of each test die, chooses environments and times from
// that, runs the tests, and says what the result is worth.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/conform_plan.h"
#include "campaign/conformance_suite.h"
#include "campaign/measure.h"
#include "campaign/run_record.h"

namespace weakspot::campaign {

enum class ConformVerdict : std::uint8_t {
  conformant,    // nothing forbidden seen, and every mutant would have been seen with the target probability
  unobservable,  // for a test: nothing forbidden seen, but the device can show none of its mutants
  inconclusive,  // nothing forbidden seen, but the target probability was not reached
  violation,     // something forbidden was seen
};
std::string_view to_string(ConformVerdict verdict);

struct ConformOptions {
  double budget = 5;         // seconds by the clock, measuring and compiling included
  double target = 0.99999;   // the reproducibility to reach for every test
  double measuring = 0.35;   // the part of the budget spent on measuring mutants
  bool trust_rates = false;  // use the rates of the suite instead of measuring
  std::uint64_t seed = 1;
  std::size_t at_once = 1;  // programs to have compiled together at least: many for a device that does so side by side
  MeasureSetup setup;
  std::function<double()> clock;  // seconds since any moment; none: the machine's
};

struct MutantResult {
  const SuiteMutant* mutant = nullptr;
  std::vector<Slice> slices;   // by environment of the suite; empty ones were not measured
  std::vector<double> rates;   // the same, kills per second
  double expected_kills = 0;   // in the time that its test ran
  double sure_kills = 0;       // the same with the lower ends of measured rates' intervals
  double reproducibility = 0;  // the probability that such a run kills it, from sure_kills

  // Kills per second in an environment: the lower end of the interval if measured, else the suite's rate.
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
  std::string model;               // the judge
  std::string not_run;             // the reason why there was no time; then the plan has no parts
  double lacking = 0;              // seconds by the clock that it would have needed beyond the budget, if known
  double seconds = 0;              // device time
  double reproducibility = 0;      // that of the mutant killed least; 0 if no mutant counts
  ConformVerdict verdict = ConformVerdict::inconclusive;
  std::string reason;  // for inconclusive and unobservable
};

struct ConformReport {
  const ConformanceSuite* suite = nullptr;
  std::string device, device_name, driver, started, program;
  ConformOptions options;
  std::vector<TestResult> tests;
  double measuring_seconds = 0;  // device time
  double testing_seconds = 0;
  double compile_seconds = 0;  // spent waiting for compilers and drivers
  double wall_seconds = 0;     // by the clock
  ConformVerdict verdict = ConformVerdict::inconclusive;
  std::optional<double> total_reproducibility;  // over all tests with mutants that count; none without such tests
  std::string problem;                          // why the device was given up; empty if it was not
  // The budget in seconds that would probably be enough for all tests that lack nothing but time; none if none does.
  std::optional<double> enough_budget;

  double device_seconds() const { return measuring_seconds + testing_seconds; }
  std::vector<RunRecord> records() const;
};

// Gives the outcomes that a model expects of a test. Called after the device was told what to compile.
using Judge = std::function<base::Result<stats::Expected>(const litmus::LitmusTest&)>;

// The suite must outlive the report. Fails only if the judge does; failures of the device are in the report.
base::Result<ConformReport> conform(const ConformanceSuite& suite, const ConformOptions& options, const Judge& judge,
                                    Executor& executor, RunObserver& observer);

// The report's suite with the measured rates in place of its own, and without environments that are of no use. A mutant
// that was not killed keeps the suite's rates for it. If it has none, and was measured for so long that even the upper
// end of its rate's interval is too low for its test's share of the budget, it becomes `unseen`.
ConformanceSuite curated(const ConformReport& report);

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
#include "campaign/conform/conclude.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "stats/reproducibility.h"

namespace weakspot::campaign {
namespace {

double seconds_needed(const ConformReport& report, const MutantResult& mutant, const TestResult& test) {
  return static_cast<double>(stats::sightings_needed(report.options.target)) * test.seconds / mutant.sure_kills;
}

void judge_test(const ConformReport& report, TestResult& test) {
  std::uint64_t forbidden = 0, unknown = 0, matches = 0;
  std::string problem = report.problem;
  std::string changed;
  bool is_complete = test.records.size() == test.plan.parts.size();
  for (const RunRecord& record : test.records) {
    forbidden += record.count(stats::OutcomeClass::forbidden);
    unknown += record.count(stats::OutcomeClass::unknown);
    matches += record.matches();
    if (record.is_changed() && changed.empty()) changed = record.code->reason;
    if (record.status == RunState::finished) continue;
    is_complete = false;
    if (problem.empty()) problem = fmt::format("{}: {}", to_string(record.status), record.message);
  }
  const MutantResult* least = nullptr;
  for (MutantResult& mutant : test.mutants) {
    for (std::size_t i = 0; i < test.records.size(); ++i) {
      mutant.expected_kills += mutant.rates[test.plan.parts[i].environment] * test.records[i].seconds;
    }
    mutant.sure_kills = sure_kills(mutant, test);
    mutant.reproducibility = stats::reproducibility(mutant.sure_kills);
    if (!mutant.counts()) continue;
    if (least == nullptr || mutant.reproducibility < least->reproducibility) least = &mutant;
  }
  if (least != nullptr) test.reproducibility = least->reproducibility;
  if (forbidden != 0) {
    test.verdict = ConformVerdict::violation;
  } else if (!test.not_run.empty()) {
    test.verdict = ConformVerdict::inconclusive;
    test.reason = test.not_run;
  } else if (!is_complete) {
    test.verdict = ConformVerdict::inconclusive;
    test.reason = problem.empty() ? "not run" : problem;
  } else if (!changed.empty()) {
    test.verdict = ConformVerdict::inconclusive;
    test.reason = fmt::format("the code is not the test: {}", changed);
  } else if (unknown != 0) {
    test.verdict = ConformVerdict::inconclusive;
    test.reason = fmt::format("the model cannot judge {} of the outcomes", unknown);
  } else if (least == nullptr) {
    test.verdict = ConformVerdict::unobservable;
    test.reason = test.mutants.empty() ? "it has no mutants" : "the device shows none of its mutants";
    if (test.mutants.empty()) {
      test.reason +=
          matches == 0 ? "; its outcome was not seen" : "; its outcome was seen " + base::counted(matches, "time");
    }
  } else if (test.reproducibility < report.options.target) {
    test.verdict = ConformVerdict::inconclusive;
    const bool was_run = report.options.trust_rates || least->was_measured();
    if (least->sure_kills == 0) {
      test.reason = fmt::format("{} was {}", least->mutant->test.name, was_run ? "never killed" : "not run");
    } else {
      const double needed = seconds_needed(report, *least, test);
      test.lacking = needed - test.seconds;
      test.reason = fmt::format("{} would need {:.3g} s", least->mutant->test.name, needed);
    }
  } else {
    test.verdict = ConformVerdict::conformant;
  }
}

// Rates are estimates, and another run may find lower ones.
constexpr double kMargin = 1.25;

// Rounded up to two digits.
double rounded_up(double seconds) {
  const double digit = std::pow(10, std::floor(std::log10(seconds)) - 1);
  return std::ceil(seconds / digit) * digit;
}

// Names the budget in the report and with every test that it would help.
void propose_budget(ConformReport& report) {
  const auto lacks_time = [](const TestResult& test) {
    return test.verdict == ConformVerdict::inconclusive && test.lacking > 0;
  };
  double lacking = 0;
  for (const TestResult& test : report.tests) lacking += lacks_time(test) ? test.lacking : 0;
  if (lacking == 0) return;
  const double for_tests = report.options.trust_rates ? 1 : 1 - report.options.measuring;
  const double spent = std::max(report.options.budget, report.wall_seconds);
  report.enough_budget = rounded_up(kMargin * (spent + lacking / for_tests));
  for (TestResult& test : report.tests) {
    if (lacks_time(test)) test.reason += fmt::format("; try --budget {:g}s", *report.enough_budget);
  }
}

}  // namespace

void conclude(ConformReport& report) {
  std::vector<double> reproducibilities;
  bool any = false;
  report.verdict = ConformVerdict::conformant;
  for (TestResult& test : report.tests) {
    judge_test(report, test);
    any = any || test.verdict == ConformVerdict::conformant;
    if (test.verdict != ConformVerdict::unobservable) {
      reproducibilities.push_back(test.reproducibility);
      report.verdict = std::max(report.verdict, test.verdict);
    }
  }
  if (report.problem.empty()) propose_budget(report);
  if (!any) report.verdict = std::max(report.verdict, ConformVerdict::inconclusive);
  if (!reproducibilities.empty()) {
    report.total_reproducibility = stats::total_reproducibility(reproducibilities);
  }
}

double sure_kills(const MutantResult& mutant, const TestResult& test) {
  double kills = 0;
  for (std::size_t i = 0; i < test.records.size(); ++i) {
    kills += mutant.sure_rate(test.plan.parts[i].environment) * test.records[i].seconds;
  }
  return kills;
}

}  // namespace weakspot::campaign

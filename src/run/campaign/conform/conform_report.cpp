// SPDX-License-Identifier: MIT
#include "campaign/conform_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/build_info.h"
#include "base/sha256.h"
#include "campaign/record_json.h"
#include "campaign/summary.h"
#include "json/invocation_json.h"
#include "report/junit.h"
#include "report/sarif.h"

namespace weakspot::campaign {
namespace {

using base::json_array;
using base::json_object;
using base::JsonValue;
using stats::OutcomeClass;

JsonValue result_json(const ConformanceSuite& suite, const MutantResult& result) {
  JsonValue json = json_object({{"test", result.mutant->test.name},
                                {"mutator", result.mutant->mutator},
                                {"status", to_string(result.mutant->status)}});
  if (!result.counts()) {
    json.add("reason", result.mutant->reason);
    return json;
  }
  JsonValue rates = json_array();
  for (std::size_t e = 0; e < result.slices.size(); ++e) {
    const Slice& slice = result.slices[e];
    if (slice.seconds == 0) continue;
    const stats::Rate rate = slice.rate();
    rates.push_back(json_object({{"environment", codegen::to_text(suite.environments[e])},
                                 {"kills", slice.kills},
                                 {"instances", slice.instances},
                                 {"seconds", slice.seconds},
                                 {"per_second", rate.value},
                                 {"low", rate.interval.low},
                                 {"high", rate.interval.high}}));
  }
  json.add("expected_kills", result.expected_kills);
  json.add("sure_kills", result.sure_kills);
  json.add("reproducibility", result.reproducibility);
  json.add("rates", std::move(rates));
  return json;
}

JsonValue result_json(const ConformanceSuite& suite, const TestResult& result) {
  std::uint64_t instances = 0, forbidden = 0;
  JsonValue runs = json_array();
  for (const RunRecord& record : result.records) {
    instances += record.instances;
    forbidden += record.count(OutcomeClass::forbidden);
    runs.push_back(to_json_value(record));
  }
  JsonValue mutants = json_array();
  for (const MutantResult& mutant : result.mutants) mutants.push_back(result_json(suite, mutant));
  return json_object({{"test", result.test->test.name},
                      {"model", result.model},
                      {"verdict", to_string(result.verdict)},
                      {"reason", result.reason},
                      {"reproducibility", result.reproducibility},
                      {"needed_seconds", result.plan.needed},  // null if infinite
                      {"seconds", result.seconds},
                      {"instances", instances},
                      {"forbidden", forbidden},
                      {"runs", std::move(runs)},
                      {"mutants", std::move(mutants)}});
}

JsonValue report_json(const ConformReport& report) {
  JsonValue tests = json_array();
  for (const TestResult& test : report.tests) tests.push_back(result_json(*report.suite, test));
  return json_object(
      {{"device", report.device},
       {"device_name", report.device_name},
       {"driver", report.driver},
       {"program", report.program},
       {"started", report.started},
       {"suite", report.suite->name},
       {"family", report.suite->family},
       {"verdict", to_string(report.verdict)},
       {"problem", report.problem},
       {"total_reproducibility", report.total_reproducibility ? JsonValue(*report.total_reproducibility) : JsonValue()},
       {"trusted_rates", report.options.trust_rates},
       {"budget", report.options.budget},
       {"enough_budget", report.enough_budget ? JsonValue(*report.enough_budget) : JsonValue()},
       {"confidence", report.options.target},
       {"seed", report.options.seed},
       {"measuring_seconds", report.measuring_seconds},
       {"testing_seconds", report.testing_seconds},
       {"compile_seconds", report.compile_seconds},
       {"wall_seconds", report.wall_seconds},
       {"tests", std::move(tests)}});
}

std::string witnesses(const TestResult& result) {
  std::string text;
  for (const RunRecord& record : result.records) text += witness_text(record);
  return text;
}

std::uint64_t forbidden_count(const TestResult& result) {
  std::uint64_t count = 0;
  for (const RunRecord& record : result.records) count += record.count(OutcomeClass::forbidden);
  return count;
}

std::string violation_text(const TestResult& result) {
  std::uint64_t instances = 0;
  for (const RunRecord& record : result.records) instances += record.instances;
  const RunRecord& first = result.records.front();
  return fmt::format("{}{} of {} instances of {} ended in an outcome that {} forbids",
                     first.deliberately_broken() ? "DELIBERATELY BROKEN: " : "", forbidden_count(result), instances,
                     result.test->test.name, first.model);
}

report::JunitCase conform_case(const ConformReport& report, const TestResult& test) {
  report::JunitCase result{report.device, test.test->test.name, test.seconds};
  result.output = fmt::format("reproducibility {}, judged by {}", percent_text(test.reproducibility), test.model);
  if (test.verdict == ConformVerdict::violation) {
    result.verdict = report::JunitVerdict::failure;
    result.message = violation_text(test);
    result.details = violation_details(test.records);
  } else if (has_failed(test)) {
    result.verdict = report::JunitVerdict::error;
    result.message = test.reason;
  } else if (test.verdict != ConformVerdict::conformant) {
    result.verdict = report::JunitVerdict::skipped;
    result.message = fmt::format("{}: {}", to_string(test.verdict), test.reason);
  }
  return result;
}

constexpr const char* kViolation = "memory-model-violation";
constexpr const char* kInconclusive = "inconclusive";
constexpr const char* kDeviceFailed = "device-failed";

report::SarifResult sarif_result(const ConformReport& report, const TestResult& test) {
  const std::string& name = test.test->test.name;
  report::SarifResult result;
  const SuitePlace& place = test.test->place;
  result.location = {place.file, place.line, 0, name, report.device + "/" + name, "resource"};
  result.fingerprint = base::sha256_hex(fmt::format("{} {} {}", report.device, name, test.model)).substr(0, 32);
  if (test.verdict == ConformVerdict::violation) {
    result.rule = kViolation;
    result.level = report::SarifLevel::error;
    result.message = violation_text(test) + "\n" + witnesses(test);
    return result;
  }
  const bool failed = has_failed(test);
  result.rule = failed ? kDeviceFailed : kInconclusive;
  result.level = failed ? report::SarifLevel::warning : report::SarifLevel::note;
  result.message = fmt::format("{}: {}", name, test.reason);
  return result;
}

}  // namespace

ConformVerdict overall(const ConformReports& reports) {
  ConformVerdict worst = ConformVerdict::conformant;
  for (const ConformReport& report : reports) worst = std::max(worst, report.verdict);
  return worst;
}

bool has_failed(const TestResult& result) {
  return result.records.size() < result.plan.parts.size() || std::any_of(
                                                                 result.records.begin(), result.records.end(),
                                                                 [](const RunRecord& record) {
                                                                   return record.status == RunState::failed ||
                                                                          record.status == RunState::lost;
                                                                 });
}

std::string percent_text(double probability) {
  if (1 - probability < 1e-9) return "> 99.9999999 %";
  // Up to the first digit that is not nine.
  const double nines = -std::log10(1 - probability);
  return fmt::format("{:.{}f} %", probability * 100, std::clamp(static_cast<int>(std::ceil(nines - 1e-6)) - 2, 0, 9));
}

std::string conform_json(const ConformReports& reports) {
  JsonValue devices = json_array();
  for (const ConformReport& report : reports) devices.push_back(report_json(report));
  JsonValue json = json_object({{"format", 1}, {"verdict", to_string(overall(reports))}});
  base::add_invocation(json);
  json.add("devices", std::move(devices));
  return base::json_indented(json) + "\n";
}

std::string conform_junit(const ConformReports& reports) {
  std::vector<report::JunitCase> cases;
  for (const ConformReport& report : reports) {
    for (const TestResult& test : report.tests) cases.push_back(conform_case(report, test));
  }
  return report::to_junit("weakspot conformance", cases);
}

std::string conform_sarif(const ConformReports& reports) {
  report::SarifRun run;
  run.version = base::kVersion;
  run.rules = {
      {kViolation, "", "The device showed an outcome that the memory model forbids.", "", report::SarifLevel::error},
      {kInconclusive, "", "No forbidden outcome was seen, but the run did not reach the confidence asked for.", "",
       report::SarifLevel::note},
      {kDeviceFailed, "", "The device failed before the test had run as planned.", "", report::SarifLevel::warning}};
  for (const ConformReport& report : reports) {
    for (const TestResult& test : report.tests) {
      if (test.verdict == ConformVerdict::violation || test.verdict == ConformVerdict::inconclusive) {
        run.results.push_back(sarif_result(report, test));
      }
    }
  }
  return report::to_sarif(run);
}

}  // namespace weakspot::campaign

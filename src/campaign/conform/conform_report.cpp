#include "campaign/conform_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/build_info.h"
#include "campaign/markup.h"
#include "campaign/record_json.h"
#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using Json = nlohmann::ordered_json;
using stats::OutcomeClass;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json mutant_json(const ConformanceSuite& suite, const MutantResult& result) {
  Json json = {{"test", result.mutant->test.name},
               {"mutator", result.mutant->mutator},
               {"status", to_string(result.mutant->status)}};
  if (!result.counts()) {
    json["reason"] = result.mutant->reason;
    return json;
  }
  json["expected_kills"] = result.expected_kills;
  json["sure_kills"] = result.sure_kills;
  json["reproducibility"] = result.reproducibility;
  json["rates"] = Json::array();
  for (std::size_t e = 0; e < result.slices.size(); ++e) {
    const Slice& slice = result.slices[e];
    if (slice.seconds == 0) continue;
    const stats::Rate rate = slice.rate();
    json["rates"].push_back({{"environment", codegen::to_text(suite.environments[e])},
                             {"kills", slice.kills},
                             {"instances", slice.instances},
                             {"seconds", slice.seconds},
                             {"per_second", rate.value},
                             {"low", rate.interval.low},
                             {"high", rate.interval.high}});
  }
  return json;
}

Json test_json(const ConformanceSuite& suite, const TestResult& result) {
  Json json = {{"test", result.test->test.name},
               {"verdict", to_string(result.verdict)},
               {"reason", result.reason},
               {"reproducibility", result.reproducibility},
               {"needed_seconds", nullptr},
               {"seconds", result.seconds},
               {"instances", 0},
               {"forbidden", 0},
               {"runs", Json::array()},
               {"mutants", Json::array()}};
  if (std::isfinite(result.plan.needed)) json["needed_seconds"] = result.plan.needed;
  std::uint64_t instances = 0, forbidden = 0;
  for (const RunRecord& record : result.records) {
    instances += record.instances;
    forbidden += record.count(OutcomeClass::forbidden);
    json["runs"].push_back(Json::parse(to_json(record)));
  }
  json["instances"] = instances;
  json["forbidden"] = forbidden;
  for (const MutantResult& mutant : result.mutants) json["mutants"].push_back(mutant_json(suite, mutant));
  return json;
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
  if (1 - probability < 1e-11) return "> 99.9999999 %";
  // Up to the first digit that is not nine.
  const double nines = -std::log10(1 - probability);
  return fmt::format("{:.{}f} %", probability * 100, std::clamp(static_cast<int>(std::ceil(nines - 1e-6)) - 2, 0, 9));
}

std::string conform_json(const ConformReports& reports) {
  Json json = {{"format", 1}, {"verdict", to_string(overall(reports))}, {"devices", Json::array()}};
  for (const ConformReport& report : reports) {
    Json device = {{"device", report.device},
                   {"device_name", report.device_name},
                   {"driver", report.driver},
                   {"program", report.program},
                   {"started", report.started},
                   {"suite", report.suite->name},
                   {"family", report.suite->family},
                   {"verdict", to_string(report.verdict)},
                   {"problem", report.problem},
                   {"total_reproducibility", nullptr},
                   {"trusted_rates", report.options.trust_rates},
                   {"budget", report.options.budget},
                   {"confidence", report.options.target},
                   {"seed", report.options.seed},
                   {"measuring_seconds", report.measuring_seconds},
                   {"testing_seconds", report.testing_seconds},
                   {"compile_seconds", report.compile_seconds},
                   {"tests", Json::array()}};
    if (report.total_reproducibility) device["total_reproducibility"] = *report.total_reproducibility;
    for (const TestResult& test : report.tests) device["tests"].push_back(test_json(*report.suite, test));
    json["devices"].push_back(std::move(device));
  }
  return dump(json);
}

std::string conform_junit(const ConformReports& reports) {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  for (const ConformReport& report : reports) {
    for (const TestResult& test : report.tests) {
      ++tests;
      seconds += test.seconds;
      std::string element;
      if (test.verdict == ConformVerdict::violation) {
        ++failures;
        element = fmt::format("    <failure message=\"{}\">{}</failure>\n", escaped(violation_text(test)),
                              escaped(witnesses(test)));
      } else if (has_failed(test)) {
        ++errors;
        element = fmt::format("    <error message=\"{}\"/>\n", escaped(test.reason));
      } else if (test.verdict != ConformVerdict::conformant) {
        ++skipped;
        element = fmt::format("    <skipped message=\"{}: {}\"/>\n", to_string(test.verdict), escaped(test.reason));
      }
      cases += fmt::format(
          "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}    <system-out>reproducibility "
          "{}</system-out>\n  </testcase>\n",
          escaped(report.device), escaped(test.test->test.name), test.seconds, element,
          escaped(percent_text(test.reproducibility)));
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"weakspot conformance\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}</testsuite>\n",
      tests, failures, errors, skipped, seconds, cases);
}

std::string conform_sarif(const ConformReports& reports) {
  const Json rules = Json::array(
      {{{"id", "memory-model-violation"},
        {"shortDescription", {{"text", "An outcome was seen that the memory model forbids."}}}},
       {{"id", "inconclusive"},
        {"shortDescription", {{"text", "Nothing forbidden was seen, but the confidence asked for was not reached."}}}},
       {{"id", "device-failed"},
        {"shortDescription", {{"text", "The device failed before the test had run as planned."}}}}});
  Json results = Json::array();
  for (const ConformReport& report : reports) {
    for (const TestResult& test : report.tests) {
      const bool violation = test.verdict == ConformVerdict::violation;
      if (!violation && test.verdict != ConformVerdict::inconclusive) continue;
      const std::string text = violation ? violation_text(test) + "\n" + witnesses(test)
                                         : fmt::format("{}: {}", test.test->test.name, test.reason);
      const bool failed = !violation && has_failed(test);
      results.push_back(
          {{"ruleId", violation ? "memory-model-violation"
                      : failed  ? "device-failed"
                                : "inconclusive"},
           {"level", violation ? "error"
                     : failed  ? "warning"
                               : "note"},
           {"message", {{"text", text}}},
           {"locations",
            Json::array(
                {{{"logicalLocations", Json::array({{{"name", test.test->test.name},
                                                     {"fullyQualifiedName", report.device + "/" + test.test->test.name},
                                                     {"kind", "resource"}}})}}})}});
    }
  }
  const Json json = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", {{"name", "weakspot"}, {"version", base::kVersion}, {"rules", rules}}}}},
                     {"results", results}}})}};
  return dump(json);
}

}  // namespace weakspot::campaign

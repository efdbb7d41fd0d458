// SPDX-License-Identifier: MIT
#include "workbench/suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/file.h"
#include "base/nearest.h"
#include "base/packed_texts.h"
#include "base/source.h"
#include "campaign/suite_rates.h"
#include "gen/suites.h"
#include "workbench/choice/observability.h"
#include "workbench/devices.h"
#include "workbench/environments.h"

namespace weakspot::workbench {
namespace {

using campaign::ConformanceSuite;
using campaign::MutantStatus;

base::Result<ConformanceSuite> read_suite(const std::string& path) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  return campaign::suite_from_json(base::Source(path, *std::move(text)));
}

constexpr unsigned char kPackedSuites[] = {
#include "workbench/embedded_suites.inc"
};

// The suite of a family of devices: on disk, where a change of it counts, or the one that the program carries.
std::optional<base::Result<ConformanceSuite>> suite_of_family(const std::string& family) {
  if (const std::filesystem::path folder = base::data_directory("configs"); !folder.empty()) {
    const std::filesystem::path own = folder / "suites" / (family + ".json");
    if (!base::exists(own)) return std::nullopt;
    return read_suite(own.string());
  }
  std::optional<std::string> text = carried_suite(family);
  if (!text) return std::nullopt;
  auto suite = campaign::suite_from_json(base::Source(fmt::format("configs:suites/{}.json", family), *std::move(text)));
  if (suite) {
    for (campaign::SuiteTest& test : suite->tests) test.place.file = fmt::format("configs/suites/{}.json", family);
  }
  return suite;
}

base::Result<ConformanceSuite> generated(const std::string& name, const backend::DeviceInfo& info) {
  base::Result<ConformanceSuite> suite = generated_suite(name);
  if (!suite) return suite.errors();
  suite->family = family_of(info);
  suite->environments = sweep_for(info);
  return suite;
}

}  // namespace

std::optional<std::string> carried_suite(std::string_view family) {
  const base::PackedTexts suites(kPackedSuites);
  const std::optional<std::string_view> text = suites.named(family);
  if (!text) return std::nullopt;
  return std::string(*text);
}

base::Result<ConformanceSuite> load_suite(const std::string& name, const backend::DeviceInfo& info) {
  std::error_code code;
  if (!name.empty()) {
    if (std::filesystem::exists(name, code)) return read_suite(name);
    return generated(name, info);
  }
  if (auto suite = suite_of_family(family_of(info))) return *std::move(suite);
  return generated("mc-mutants", info);
}

// Mutants name the tests that they belong to.
base::Result<ConformanceSuite> generated_suite(const std::string& name) {
  const gen::Suite* found = gen::suite_named(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const gen::Suite& one : gen::suites()) names.emplace_back(one.name);
    return base::error_in(name, "there is no such file or suite" + base::did_you_mean(name, names));
  }
  ConformanceSuite suite;
  suite.name = name;
  std::map<std::string, std::size_t> parents;
  std::vector<litmus::LitmusTest> tests = gen::tests_of(*found);
  if (const gen::Suite* more = gen::suite_named(name + "-mutants"); more != nullptr) {
    std::vector<litmus::LitmusTest> mutants = gen::tests_of(*more);
    std::move(mutants.begin(), mutants.end(), std::back_inserter(tests));
  }
  for (litmus::LitmusTest& test : tests) {
    const auto parent = gen::info_of(test, "Parent");
    if (!parent) {
      parents[test.name] = suite.tests.size();
      // The file that 'weakspot suite NAME --out NAME' writes.
      campaign::SuitePlace place{fmt::format("{}/{}.litmus", name, test.name)};
      suite.tests.push_back({std::move(test), {}, std::move(place)});
      continue;
    }
    const auto at = parents.find(*parent);
    if (at == parents.end()) return base::error(fmt::format("{}: the parent of {} is missing", name, test.name));
    campaign::SuiteMutant mutant;
    mutant.mutator = gen::info_of(test, "Mutator").value_or("");
    mutant.test = std::move(test);
    suite.tests[at->second].mutants.push_back(std::move(mutant));
  }
  return suite;
}

base::Status prune_unobservable(ConformanceSuite& suite, const backend::DeviceInfo& info,
                                const std::atomic<bool>* stop) {
  Observability observability(info, stop);
  for (campaign::SuiteTest& test : suite.tests) {
    for (campaign::SuiteMutant& mutant : test.mutants) {
      base::Result<std::optional<std::string>> reason = observability.why_not(mutant.test);
      if (!reason) return reason.errors();
      if (!*reason) continue;
      mutant.status = MutantStatus::unobservable;
      mutant.reason = **reason;
      mutant.rates.clear();
    }
  }
  return base::ok_status();
}

void forget_mutants(ConformanceSuite& suite) {
  for (campaign::SuiteTest& test : suite.tests) {
    for (campaign::SuiteMutant& mutant : test.mutants) {
      mutant.rates.clear();
      mutant.status = MutantStatus::observable;
      mutant.reason.clear();
    }
  }
}

base::Result<ConformanceSuite> rated_suite(const RatedSuiteRequest& request) {
  base::Result<std::string> text = base::read_file(request.journal);
  if (!text) return text.errors();
  const auto journal = campaign::read_journal_rates(base::Source(request.journal, *std::move(text)));
  if (!journal) return journal.errors();
  base::Result<ConformanceSuite> suite = generated_suite(request.suite);
  if (!suite) return suite.errors();
  suite = campaign::with_rates(*std::move(suite), *journal);
  if (!suite) return suite.errors();
  suite->family = request.family.empty() ? journal->device_name : request.family;
  if (!request.measured_on.empty()) suite->measured_on = request.measured_on;
  return suite;
}

}  // namespace weakspot::workbench

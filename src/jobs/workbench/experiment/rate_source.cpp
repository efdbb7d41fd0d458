// SPDX-License-Identifier: MIT
#include "workbench/rate_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/published_names.h"
#include "analysis/test_role.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/source.h"
#include "gen/suites.h"
#include "litmus/dialect.h"
#include "workbench/choice/observability.h"
#include "workbench/devices.h"
#include "workbench/inputs.h"
#include "workbench/suites.h"

namespace weakspot::workbench {
namespace {

constexpr std::string_view kRecorded = "recorded:";

// A suite gives its mutants, or all of its tests if it has no mutants.
void add_suite_tests(const gen::Suite& suite, std::vector<litmus::LitmusTest>& tests) {
  std::vector<litmus::LitmusTest> all = gen::tests_of(suite);
  const bool has_mutants =
      std::any_of(all.begin(), all.end(), [](const auto& test) { return gen::info_of(test, "Parent").has_value(); });
  for (litmus::LitmusTest& test : all) {
    if (!has_mutants || gen::info_of(test, "Parent")) tests.push_back(std::move(test));
  }
}

base::Result<std::vector<litmus::LitmusTest>> mutants_named(const std::vector<std::string>& names) {
  std::vector<litmus::LitmusTest> tests;
  base::Diagnostics errors;
  for (const std::string& name : names) {
    std::error_code code;
    const gen::Suite* suite = std::filesystem::exists(name, code) ? nullptr : gen::suite_named(name);
    if (suite != nullptr) {
      add_suite_tests(*suite, tests);
      continue;
    }
    TestInputs inputs = load_tests({name});
    errors.insert(errors.end(), inputs.errors.begin(), inputs.errors.end());
    for (TestInput& input : inputs.tests) tests.push_back(std::move(input.test));
  }
  if (!errors.empty()) return errors;
  return tests;
}

// The hash of everything that decides the slices of a recorded test.
std::string hash_of(const std::vector<campaign::Slice>& row,
                    const std::vector<codegen::TestEnvironment>& environments) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    text +=
        fmt::format("{} {} {} {}\n", codegen::to_text(environments[i]), row[i].kills, row[i].instances, row[i].seconds);
  }
  return base::hash_bytes(text).hex();
}

base::Result<RateSource> open_recorded(const RateRequest& request) {
  const std::string path = request.device.substr(kRecorded.size());
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  base::Result<campaign::RecordedTable> table = campaign::read_recorded(base::Source(path, *std::move(text)));
  if (!table) return table.errors();
  RateSource source;
  source.is_recorded = true;
  source.device = "recorded";
  source.device_name = std::filesystem::path(path).filename().string();
  source.table = std::make_unique<campaign::RecordedTable>(*std::move(table));
  if (!request.tests.empty()) {
    campaign::RecordedTable kept{{}, source.table->environments, {}};
    for (std::size_t i = 0; i < source.table->tests.size(); ++i) {
      const std::string& name = source.table->tests[i];
      const bool named = std::any_of(request.tests.begin(), request.tests.end(), [&](const std::string& part) {
        return name.find(part) != std::string::npos || analysis::our_name(name) == part;
      });
      if (!named) continue;
      kept.tests.push_back(name);
      kept.cells.push_back(source.table->cells[i]);
    }
    if (kept.tests.empty()) return base::error_in(path, "this file has none of these tests");
    *source.table = std::move(kept);
  }
  source.names = source.table->tests;
  for (const std::string& name : source.names) {
    // The study's names say which mutator made a test.
    const auto mutator = analysis::role_of(name, analysis::NameStyle::published).mutator;
    source.models.emplace_back();
    source.mutators.emplace_back(mutator ? analysis::to_string(*mutator) : "");
  }
  for (const std::vector<campaign::Slice>& row : source.table->cells) {
    source.hashes.push_back(hash_of(row, source.table->environments));
  }
  source.sweep = source.table->environments;
  source.measurer = campaign::recorded_measurer(*source.table);
  return source;
}

}  // namespace

base::Result<RateSource> open_rates(const RateRequest& request, campaign::Executor& executor,
                                    campaign::RunObserver& observer) {
  if (request.device.starts_with(kRecorded)) return open_recorded(request);
  base::Result<std::vector<litmus::LitmusTest>> tests =
      mutants_named(request.tests.empty() ? std::vector<std::string>{"mc-mutants"} : request.tests);
  if (!tests) return tests.errors();
  std::vector<std::string> ids;
  if (!request.device.empty()) ids.push_back(request.device);
  const base::Result<std::vector<backend::DeviceInfo>> found = find_devices(ids);
  if (!found) return found.errors();
  if (found->size() != 1) {
    return base::error(fmt::format("expected one device, but '{}' means {}", request.device, found->size()));
  }
  const backend::DeviceInfo& info = found->front();
  RateSource source;
  source.device = info.id;
  source.device_name = info.name;
  source.driver = info.driver;
  source.machine = is_host_processor(info) ? campaign::SpaceFor::cpu : campaign::SpaceFor::gpu;
  source.sweep = sweep_for(info);
  const auto own = load_suite("", info);
  if (!own) return own.errors();
  source.known = own->environments;
  add_missing(source.known, source.sweep);
  Observability observability(info, request.stop);
  source.tests = std::make_unique<std::vector<litmus::LitmusTest>>();
  for (litmus::LitmusTest& test : *tests) {
    base::Result<std::optional<std::string>> reason = observability.why_not(test);
    if (!reason) return reason.errors();
    if (*reason) {
      source.unobservable.push_back(
          {test.name, gen::info_of(test, "Mutator").value_or(""), **reason, observability.model_for(test)});
    } else {
      source.tests->push_back(std::move(test));
    }
  }
  if (source.tests->empty() && !source.unobservable.empty()) {
    const campaign::UnobservableTest& first = source.unobservable.front();
    return base::error(source.unobservable.size() == 1 ? fmt::format("{}: {}", first.test, first.reason)
                                                       : fmt::format("none of these tests can be seen on {}; {}: {}",
                                                                     info.id, first.test, first.reason));
  }
  for (const litmus::LitmusTest& test : *source.tests) {
    source.names.push_back(test.name);
    source.models.push_back(observability.model_for(test));
    source.mutators.push_back(gen::info_of(test, "Mutator").value_or(""));
    source.hashes.push_back(litmus::hash_of(test).hex());
  }
  const campaign::MeasureSetup setup{.device = info.id,
                                     .memory = request.memory != 0 ? request.memory : slice_memory(info),
                                     .started = request.started};
  source.measurer = campaign::device_measurer(executor, *source.tests, setup, observer);
  return source;
}

base::Diagnostic device_is_gone(const std::string& device, const std::string& problem) {
  return base::error(fmt::format("device {} was lost {} times in a row: {}", device, campaign::Losses::kMost, problem),
                     base::ErrorKind::device);
}

}  // namespace weakspot::workbench

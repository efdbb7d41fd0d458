// SPDX-License-Identifier: MIT
#include "workbench/conform.h"

#include <fmt/format.h>

#include "base/file.h"
#include "questions/expected_outcomes.h"
#include "workbench/devices.h"
#include "workbench/environments.h"
#include "workbench/results/writable.h"
#include "workbench/store_sink.h"
#include "workbench/suites.h"

namespace weakspot::workbench {
namespace {

using campaign::ConformanceSuite;
using campaign::ConformReport;
using campaign::ConformVerdict;

// Programs that a device gets together if it compiles them side by side: a few for each core.
constexpr std::size_t kCompiledTogether = 64;

base::Status check_saving(const ConformRequest& request, std::size_t devices) {
  if (request.files.suite.empty()) return base::ok_status();
  if (devices > 1) return base::error(fmt::format("a suite can be saved for one device, not for {}", devices));
  if (request.options.trust_rates) {
    return base::error("saving a suite needs measured rates, and trusted rates are not measured");
  }
  return base::ok_status();
}

base::Result<ConformanceSuite> suite_for(const ConformRequest& request, const backend::DeviceInfo& device) {
  base::Result<ConformanceSuite> suite = load_suite(request.suite, device);
  if (!suite) return suite.errors();
  if (!suite->family.empty() && suite->family != family_of(device)) {
    if (request.options.trust_rates) {
      return base::error_in(request.suite, fmt::format("this suite is for {}; its rates do not apply to {}, {}",
                                                       suite->family, device.id, family_of(device)));
    }
    forget_mutants(*suite);
  }
  if (!request.environments.empty()) {
    const base::Result<Environments> read = load_environments(request.environments, sweep_for(device));
    if (!read) return read.errors();
    suite->environments = *read;
    // Other environments have other rates, and may show what was never seen.
    forget_mutants(*suite);
  }
  if (base::Status pruned = prune_unobservable(*suite, device, request.stop); !pruned) return pruned.errors();
  return suite;
}

void write_conform_files(const ConformRequest& request, StoreSink& store, bool cancelled, ConformResult& result) {
  auto write = [&](const std::string& path, auto&& text_of) {
    if (path.empty() || !result.problems.empty()) return;
    const base::Status written = base::write_file(path, text_of());
    if (!written) result.problems = base::of_kind(base::ErrorKind::environment, written.errors());
  };
  const ConformFiles& files = request.files;
  write(files.json, [&] { return campaign::conform_json(result.reports); });
  write(files.junit, [&] { return campaign::conform_junit(result.reports); });
  write(files.sarif, [&] { return campaign::conform_sarif(result.reports); });
  write(files.html, [&] { return campaign::conform_html(result.reports); });
  if (store.keeps() && result.problems.empty()) {
    if (base::Status kept = store.add(campaign::conform_json(result.reports)); !kept) result.problems = kept.errors();
  }
  if (files.suite.empty()) return;
  result.suite_unsaved = cancelled || !result.reports.front().problem.empty();
  if (result.suite_unsaved) return;
  write(files.suite, [&] { return campaign::to_json(campaign::curated(result.reports.front())); });
}

bool has_failed(const ConformReport& report) {
  using campaign::RunState;
  if (!report.problem.empty()) return true;
  for (const campaign::RunRecord& record : report.records()) {
    if (record.status == RunState::failed || record.status == RunState::lost) return true;
  }
  return false;
}

Ending conform_ending(const ConformRequest& request, const campaign::ConformReports& reports, bool cancelled) {
  const ConformVerdict verdict = campaign::overall(reports);
  if (verdict == ConformVerdict::violation) return Ending::finding;
  if (cancelled) return Ending::cancelled;
  for (const ConformReport& report : reports) {
    if (has_failed(report)) return Ending::failed;
  }
  return request.strict && verdict != ConformVerdict::conformant ? Ending::finding : Ending::fine;
}

}  // namespace

base::Result<ConformResult> conform(const ConformRequest& request, campaign::Executor& executor, ConformWatch& watch) {
  const base::Result<std::vector<backend::DeviceInfo>> devices = find_devices(request.devices);
  if (!devices) return devices.errors();
  if (base::Status fit = check_saving(request, devices->size()); !fit) return fit.errors();
  ConformResult result;
  for (const backend::DeviceInfo& device : *devices) {
    base::Result<ConformanceSuite> suite = suite_for(request, device);
    if (!suite) return suite.errors();
    result.suites.push_back(*std::move(suite));
  }
  const ConformFiles& files = request.files;
  for (const std::string* path : {&files.json, &files.junit, &files.sarif, &files.html, &files.suite}) {
    if (base::Status writable = can_write(*path); !writable) return writable.errors();
  }
  base::Result<StoreSink> store = StoreSink::open(files.store);
  if (!store) return store.errors();
  base::Diagnostics judging_problems;
  for (std::size_t i = 0; i < devices->size(); ++i) {
    const backend::DeviceInfo& device = (*devices)[i];
    campaign::ConformOptions options = request.options;
    options.setup.device = device.id;
    if (request.now) options.setup.started = request.now();
    if (device.loads_in_parallel) options.at_once = kCompiledTogether;
    options.setup.memory = request.memory != 0 ? request.memory : slice_memory(device);
    const questions::Platform platform = platform_of(device);
    questions::ExpectedOutcomes outcomes(request.model,
                                         questions::limits_beside_job(request.options.budget, request.stop));
    watch.device_begins(device);
    auto report = campaign::conform(
        result.suites[i], options, [&](const litmus::LitmusTest& test) { return outcomes.of(test, &platform); },
        executor, watch);
    if (!report) return report.errors();
    judging_problems.insert(judging_problems.end(), outcomes.problems().begin(), outcomes.problems().end());
    result.reports.push_back(*std::move(report));
    watch.device_ended(result.reports.back());
  }
  const bool cancelled = watch.cancelled();
  write_conform_files(request, *store, cancelled, result);
  result.ending =
      result.problems.empty() ? conform_ending(request, result.reports, cancelled) : ending_of(result.problems);
  add_problems(judging_problems, result.problems, result.ending);
  return result;
}

}  // namespace weakspot::workbench

// SPDX-License-Identifier: MIT
#include "workbench/compare.h"

#include <fmt/format.h>

#include "analysis/stored_runs.h"
#include "base/nearest.h"
#include "base/source.h"
#include "codegen/environment.h"

namespace weakspot::workbench {
namespace {

using campaign::RunRecord;

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

base::Status keep_device(CompareSide& side, const std::string& device) {
  const std::vector<std::string> there = campaign::devices_of(side.records);
  std::erase_if(side.records, [&](const RunRecord& record) { return record.device != device; });
  if (side.records.empty()) {
    return base::error_in(side.name(), fmt::format("there is no run on '{}'; there are runs on {}{}", device,
                                                   joined(there), base::did_you_mean(device, there)));
  }
  side.device = device;
  return base::ok_status();
}

base::Status keep_environment(CompareSide& side, const std::string& text) {
  const auto wanted = codegen::parse_environment(base::Source("environment", text));
  if (!wanted) return wanted.errors();
  const std::string there = joined(campaign::environments_of(side.records));
  std::erase_if(side.records, [&](const RunRecord& record) { return record.environment != *wanted; });
  if (side.records.empty()) {
    return base::error_in(side.name(), fmt::format("there is no run in '{}'; there are runs in {}", text, there));
  }
  side.environment = codegen::to_text(*wanted);
  return base::ok_status();
}

// One file, and nothing was chosen: its two devices, or else its two environments.
base::Status split(CompareSide& a, CompareSide& b) {
  const std::vector<std::string> devices = campaign::devices_of(a.records);
  const std::vector<std::string> environments = campaign::environments_of(a.records);
  if (devices.size() == 2) {
    if (base::Status status = keep_device(a, devices[0]); !status) return status;
    return keep_device(b, devices[1]);
  }
  if (devices.size() == 1 && environments.size() == 2) {
    if (base::Status status = keep_environment(a, environments[0]); !status) return status;
    return keep_environment(b, environments[1]);
  }
  return base::error_in(
      a.name(), fmt::format("expected runs on two devices or in two environments; the file has the devices {} and {} "
                            "environment{}: choose with --devices or --env",
                            joined(devices), environments.size(), environments.size() == 1 ? "" : "s"));
}

base::Status read_sides(const CompareRequest& request, CompareSide& a, CompareSide& b) {
  for (CompareSide* side : {&a, &b}) {
    side->file = side == &a ? request.files.front() : request.files.back();
    base::Result<std::vector<RunRecord>> read = analysis::read_runs(side->file);
    if (!read) return read.errors();
    side->records = *std::move(read);
  }
  if (!request.devices.empty()) {
    if (base::Status status = keep_device(a, request.devices.front()); !status) return status;
    if (base::Status status = keep_device(b, request.devices.back()); !status) return status;
  }
  if (!request.environments.empty()) {
    if (base::Status status = keep_environment(a, request.environments.front()); !status) return status;
    if (base::Status status = keep_environment(b, request.environments.back()); !status) return status;
  }
  if (request.files.size() == 1 && request.devices.size() < 2 && request.environments.size() < 2) return split(a, b);
  return base::ok_status();
}

}  // namespace

std::string CompareSide::name(campaign::EnvironmentNames* names) const {
  std::string text = file;
  if (!device.empty()) text += ", " + device;
  if (!environment.empty()) text += ", " + (names == nullptr ? environment : names->name(environment));
  return text;
}

base::Result<CompareResult> compare(const CompareRequest& request) {
  if (request.files.empty() || request.files.size() > 2) {
    return base::error(fmt::format("expected one or two files, not {}", request.files.size()));
  }
  CompareResult result;
  if (const base::Status status = read_sides(request, result.a, result.b); !status) return status.errors();
  result.comparison = campaign::compare_runs(result.a.records, result.b.records, request.options);
  if (result.comparison.outcomes.empty()) {
    return base::error(
        fmt::format("A ({}) and B ({}) have no runs to compare: they share no test, or no device "
                    "or environment of a test; choose with --devices or --env, or add environments up with --pool",
                    result.a.name(), result.b.name()));
  }
  for (const campaign::OutcomeComparison& one : result.comparison.outcomes) result.different += one.differs ? 1 : 0;
  return result;
}

}  // namespace weakspot::workbench

// SPDX-License-Identifier: MIT
#include "analysis/records.h"

#include <algorithm>

#include "campaign/record_json.h"
#include "litmus/mutant_name.h"

namespace weakspot::analysis {
namespace {

using campaign::RunRecord;
using campaign::RunState;
using stats::OutcomeClass;

template <typename Items, typename Same>
auto& find_or_add(Items& items, Same same) {
  const auto found = std::find_if(items.begin(), items.end(), same);
  return found == items.end() ? items.emplace_back() : *found;
}

void add(const RunRecord& record, Cell& cell) {
  cell.sequential += record.count(OutcomeClass::sequential);
  cell.interleaved += record.count(OutcomeClass::interleaved);
  cell.weak += record.count(OutcomeClass::weak);
  cell.forbidden += record.count(OutcomeClass::forbidden);
  cell.unknown += record.count(OutcomeClass::unknown) + record.unfinished;
  const bool conformance = role_of(record.test, NameStyle::corpus).kind == TestKind::conformance;
  cell.sightings += conformance ? record.count(OutcomeClass::forbidden) : record.matches();
  cell.seconds += record.seconds;
  cell.instances = cell.instances.value_or(0) + record.instances;
}

}  // namespace

std::vector<DeviceResults> results_of(const std::string& file, const std::vector<RunRecord>& records) {
  std::vector<DeviceResults> devices;
  for (const RunRecord& record : records) {
    if (record.instances == 0) continue;
    DeviceResults& device =
        find_or_add(devices, [&](const DeviceResults& known) { return known.device == record.device; });
    device.file = file;
    device.device = record.device;
    device.vendor = record.device_name.empty() ? record.device : record.device_name;
    device.style = NameStyle::corpus;
    const std::string key = codegen::to_text(record.environment);
    Entry& entry = find_or_add(device.entries, [&](const Entry& known) { return known.key == key; });
    entry.key = key;
    const std::string_view test = litmus::present_name(record.test, record.hash);
    NamedCell& cell = find_or_add(entry.cells, [&](const NamedCell& known) { return known.test == test; });
    cell.test = test;
    add(record, cell.cell);
  }
  return devices;
}

base::Result<std::vector<DeviceResults>> read_run_records(const std::string& file) {
  const base::Result<std::vector<RunRecord>> records = campaign::read_records(file);
  if (!records) return records.errors();
  std::vector<DeviceResults> devices = results_of(file, *records);
  if (devices.empty()) return base::error_in(file, "no record in this file has any instances");
  return devices;
}

}  // namespace weakspot::analysis

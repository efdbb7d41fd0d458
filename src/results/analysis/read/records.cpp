// SPDX-License-Identifier: MIT
#include "analysis/read/records.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "campaign/record_json.h"
#include "litmus/mutant_name.h"

namespace weakspot::analysis {
namespace {

using campaign::RunRecord;
using stats::OutcomeClass;

void keep_earliest(std::string& known, const std::string& time) {
  if (!time.empty() && (known.empty() || time < known)) known = time;
}

void add_run(const RunRecord& record, Cell& cell) {
  cell.sequential += record.count(OutcomeClass::sequential);
  cell.interleaved += record.count(OutcomeClass::interleaved);
  cell.weak += record.count(OutcomeClass::weak);
  cell.forbidden += record.count(OutcomeClass::forbidden);
  cell.unknown += record.count(OutcomeClass::unknown) + record.unfinished;
  const bool conformance = role_of(record.test, NameStyle::corpus).kind == TestKind::conformance;
  const std::uint64_t sightings = conformance ? record.count(OutcomeClass::forbidden) : record.matches();
  cell.sightings += sightings;
  cell.seconds += record.seconds;
  cell.instances = cell.instances.value_or(0) + record.instances;
  keep_earliest(cell.first_run, record.started);
  if (sightings != 0) keep_earliest(cell.first_sighting, record.started);
}

constexpr std::pair<std::string_view, std::string_view> kVendorWords[] = {
    {"nvidia", "NVIDIA"},
    {"geforce", "NVIDIA"},
    {"tesla", "NVIDIA"},
    {"quadro", "NVIDIA"},
    {"amd", "AMD"},
    {"radeon", "AMD"},
    {"intel", "Intel"},
    {"apple", "Apple"},
    {"adreno", "Qualcomm"},
    {"qualcomm", "Qualcomm"},
    {"mali", "ARM"},
    {"arm", "ARM"},
    {"neoverse", "ARM"},
    {"cortex", "ARM"},
    {"powervr", "Imagination"},
    {"imagination", "Imagination"},
};

}  // namespace

std::string vendor_of(const std::string& name) {
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const auto letter = static_cast<unsigned char>(i < name.size() ? name[i] : ' ');
    if (std::isalpha(letter) != 0) {
      word += static_cast<char>(std::tolower(letter));
      continue;
    }
    for (const auto& [known, vendor] : kVendorWords) {
      if (word == known) return std::string(vendor);
    }
    word.clear();
  }
  return name;
}

std::size_t DeviceCollector::device_number(const std::string& id, const std::string& name) {
  const auto [found, is_new] = numbers_.emplace(std::pair(id, name), devices_.size());
  if (is_new) {
    DeviceResults& device = devices_.emplace_back();
    device.file = file_;
    device.device = id;
    device.vendor = name.empty() ? id : vendor_of(name);
    device.model = name;
    device.style = NameStyle::corpus;
  }
  return found->second;
}

Cell& DeviceCollector::cell_of(std::size_t device, const std::string& environment, const std::string& test) {
  std::vector<Entry>& entries = devices_[device].entries;
  const auto [entry, new_entry] = entries_.emplace(std::pair(device, environment), entries.size());
  if (new_entry) entries.emplace_back().key = environment;
  std::vector<NamedCell>& cells = entries[entry->second].cells;
  const auto [cell, new_cell] = cells_.emplace(std::tuple(device, entry->second, test), cells.size());
  if (new_cell) cells.emplace_back().test = test;
  return cells[cell->second].cell;
}

void DeviceCollector::add(const std::string& id, const RunRecord& record) {
  if (record.instances == 0) return;
  const std::size_t device = device_number(id, record.device_name);
  const std::string test(litmus::present_name(record.test, record.hash));
  add_run(record, cell_of(device, codegen::to_text(record.environment), test));
}

void DeviceCollector::add(const std::string& id, const campaign::JournalRates& journal) {
  const std::size_t device = device_number(id, journal.device_name);
  for (std::size_t test = 0; test < journal.tests.size(); ++test) {
    for (const auto& [environment, measured] : journal.cells[test]) {
      if (measured.sum.instances == 0) continue;
      Cell& cell = cell_of(device, environment, journal.tests[test]);
      cell.weak += measured.sum.kills;
      cell.unknown += measured.sum.instances - std::min(measured.sum.instances, measured.sum.kills);
      cell.sightings += measured.sum.kills;
      cell.seconds += measured.sum.seconds;
      cell.instances = cell.instances.value_or(0) + measured.sum.instances;
    }
  }
}

std::vector<DeviceResults> results_of(const std::string& file, const std::vector<RunRecord>& records) {
  DeviceCollector collector(file);
  for (const RunRecord& record : records) collector.add(record.device, record);
  return collector.take();
}

base::Result<std::vector<DeviceResults>> read_run_records(const std::string& file) {
  const base::Result<std::vector<RunRecord>> records = campaign::read_records(file);
  if (!records) return records.errors();
  std::vector<DeviceResults> devices = results_of(file, *records);
  if (devices.empty()) return base::error_in(file, "no record in this file has any instances");
  return devices;
}

}  // namespace weakspot::analysis

// SPDX-License-Identifier: MIT
// Turns our own records (campaign/run_record.h, campaign/suite_rates.h) into results of devices. The key of an
// environment is the text of its parameters. The sightings of a mutant are the outcomes that satisfy its condition,
// those of a conformance test the outcomes that the model forbids. Runs of a test in one environment on one device are
// added up; runs that were refused or failed have no counts and are left out.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/study.h"
#include "base/result.h"
#include "campaign/run_record.h"
#include "campaign/suite_rates.h"

namespace weakspot::analysis {

// Puts records of the same device, environment and test together. Devices are the same if their ids and their names
// are: cuda:0 of another machine may be another card.
class DeviceCollector {
 public:
  // The file is for messages.
  explicit DeviceCollector(std::string file) : file_(std::move(file)) {}

  // `id`: of the device; a fleet has several with the id that is in the record.
  void add(const std::string& id, const campaign::RunRecord& record);
  // Outcomes other than the behaviour that was searched for are not known.
  void add(const std::string& id, const campaign::JournalRates& journal);

  // In the order of their first records.
  std::vector<DeviceResults> take() { return std::move(devices_); }

 private:
  std::size_t device_number(const std::string& id, const std::string& name);
  Cell& cell_of(std::size_t device, const std::string& environment, const std::string& test);

  std::string file_;
  std::vector<DeviceResults> devices_;
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_;              // by id and name
  std::map<std::pair<std::size_t, std::string>, std::size_t> entries_;              // by environment
  std::map<std::tuple<std::size_t, std::size_t, std::string>, std::size_t> cells_;  // by test
};

std::vector<DeviceResults> results_of(const std::string& file, const std::vector<campaign::RunRecord>& records);

// Reads a file that 'weakspot run --out' wrote.
base::Result<std::vector<DeviceResults>> read_run_records(const std::string& file);

// The maker of a device, by words of its name: "NVIDIA" for "NVIDIA H200"; the name itself if none is known.
std::string vendor_of(const std::string& name);

}  // namespace weakspot::analysis

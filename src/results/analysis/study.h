// SPDX-License-Identifier: MIT
// Results of many runs in one form for all kinds of files: devices x environments x tests, each cell with its counts by
// class, its time, and the parameters of its environment.
//
// A reader gives DeviceResults, one device at a time, in the order of the file. A Study puts the devices of one folder
// or database side by side: environments are the same if their keys are, and tests if their names are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/test_role.h"

namespace weakspot::analysis {

struct Cell {
  std::uint64_t sequential = 0;
  std::uint64_t interleaved = 0;
  std::uint64_t weak = 0;
  std::uint64_t forbidden = 0;
  std::uint64_t unknown = 0;               // instances without a class
  std::uint64_t sightings = 0;             // how often the behaviour that the test looks for was seen
  double seconds = 0;                      // 0: the file does not say
  std::optional<std::uint64_t> instances;  // if the file says so
  // Times as 2026-11-16T10:59:02Z; empty: the file does not say, or there was none.
  std::string first_run;
  std::string first_sighting;

  std::uint64_t total() const { return sequential + interleaved + weak + forbidden + unknown; }
  friend bool operator==(const Cell&, const Cell&) = default;
};

using Parameters = std::vector<std::pair<std::string, double>>;

struct NamedCell {
  std::string test;
  Cell cell;

  friend bool operator==(const NamedCell&, const NamedCell&) = default;
};

struct Entry {
  std::string key;  // names the environment, unique within the device
  Parameters parameters;
  std::vector<NamedCell> cells;

  friend bool operator==(const Entry&, const Entry&) = default;
};

struct DeviceResults {
  std::string file;  // source of the results, with the row of a database
  std::string device;
  std::string vendor;
  std::string model;  // its name; empty: as `device`
  NameStyle style = NameStyle::published;
  std::vector<Entry> entries;      // from tuning
  std::vector<Entry> conformance;  // one test each, in an environment of its own
};

struct Device {
  std::string name;
  std::string vendor;
  std::string file;
};

struct Test {
  std::string name;
  TestRole role;
};

class Study {
 public:
  // Devices of the same name get their number appended.
  Study(std::string name, std::vector<DeviceResults> results);
  Study(Study&&) = default;
  Study(const Study&) = delete;  // the cells are pointed to
  Study& operator=(const Study&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<Device>& devices() const { return devices_; }
  const std::vector<std::string>& environments() const { return environments_; }
  const std::vector<Test>& tests() const { return tests_; }
  const std::vector<DeviceResults>& results() const { return results_; }  // in the order of the devices

  // Whether the file says how long any of the cells took. Rates of a study without times are per instance.
  bool has_times() const { return has_times_; }

  // Null where the device did not run the test there.
  const Cell* cell(std::size_t device, std::size_t environment, std::size_t test) const;

  std::vector<std::size_t> tests_that_are(TestKind kind) const;
  // Whether the device ran the test in any environment.
  bool ran(std::size_t device, std::size_t test) const;
  // The pairs of one of these tests and a device that ran it.
  std::size_t pairs(const std::vector<std::size_t>& tests) const;

 private:
  std::string name_;
  std::vector<DeviceResults> results_;
  std::vector<Device> devices_;
  std::vector<std::string> environments_;
  std::vector<Test> tests_;
  std::vector<const Cell*> cells_;
  bool has_times_ = false;
};

}  // namespace weakspot::analysis

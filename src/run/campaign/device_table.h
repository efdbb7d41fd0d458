// SPDX-License-Identifier: MIT
// The results of one test on several devices side by side: a row per outcome, a column per device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/summary.h"

namespace weakspot::campaign {

struct DeviceTable {
  struct Column {
    std::string device;
    std::string model;  // the judge
    std::string verdict;
    std::uint64_t instances = 0;
    double seconds = 0;
    bool ran = false;  // if not, its cells mean nothing

    double rate(std::uint64_t count) const { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }
  };
  struct Row {
    std::string outcome;
    std::string classes;  // one word, or several where devices were judged by different models
    bool matches = false;
    stats::OutcomeClass outcome_class = stats::OutcomeClass::unknown;  // the first of `classes`
    std::vector<std::uint64_t> counts;                                 // by column
  };

  std::string test;
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// The groups are runs of one test; each becomes a column.
DeviceTable device_table(const std::vector<RunGroup>& groups);

// A table for each test that ran, or should have run, on several devices. Groups of the same test need not be
// neighbours. Tests and devices stand in the order of their first appearance.
std::vector<DeviceTable> device_tables(const std::vector<RunGroup>& groups);

}  // namespace weakspot::campaign

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
    std::string verdict;
    std::uint64_t instances = 0;
    double seconds = 0;
    bool ran = false;  // where not, its cells say nothing

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

// `groups`: of one test, a column each.
DeviceTable device_table(const std::vector<RunGroup>& groups);

// A table per test that ran, or should have run, on several devices. Groups of the same test need not be neighbours;
// tests stand in the order in which they come first, devices too.
std::vector<DeviceTable> device_tables(const std::vector<RunGroup>& groups);

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
#include "campaign/device_table.h"

#include <algorithm>
#include <map>

namespace weakspot::campaign {
namespace {

// Adds the words that `text` does not have yet.
void add_word(std::string& words, const std::string& word) {
  if (words.empty()) {
    words = word;
  } else if (words.find(word) == std::string::npos) {
    words += "/" + word;
  }
}

DeviceTable::Row& row_of(DeviceTable& table, const OutcomeCount& outcome) {
  const auto same = [&](const DeviceTable::Row& row) { return row.outcome == outcome.outcome; };
  const auto found = std::find_if(table.rows.begin(), table.rows.end(), same);
  if (found != table.rows.end()) return *found;
  DeviceTable::Row row;
  row.outcome = outcome.outcome;
  row.matches = outcome.matches;
  row.outcome_class = outcome.outcome_class;
  row.counts.resize(table.columns.size());
  return table.rows.emplace_back(std::move(row));
}

}  // namespace

DeviceTable device_table(const std::vector<RunGroup>& groups) {
  DeviceTable table;
  table.test = groups.front().test();
  std::vector<RunRecord> sums;
  for (const RunGroup& group : groups) {
    const RunRecord& sum = sums.emplace_back(group.sum());
    table.columns.push_back({sum.device, sum.model, verdict_word(sum), sum.instances, sum.seconds, sum.instances != 0});
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    for (const OutcomeCount& outcome : sums[i].outcomes) {
      DeviceTable::Row& row = row_of(table, outcome);
      row.counts[i] += outcome.count;
      add_word(row.classes, class_word(outcome.outcome_class));
    }
  }
  // Each device names outcomes in the order of sight; a table has one order.
  std::sort(table.rows.begin(), table.rows.end(),
            [](const DeviceTable::Row& a, const DeviceTable::Row& b) { return a.outcome < b.outcome; });
  return table;
}

std::vector<DeviceTable> device_tables(const std::vector<RunGroup>& groups) {
  std::vector<std::vector<RunGroup>> tests;
  std::map<std::string, std::size_t> numbers;  // by name and hash
  for (const RunGroup& group : groups) {
    const auto [entry, is_new] = numbers.try_emplace(group.test() + "\n" + group.records.front().hash, tests.size());
    if (is_new) tests.emplace_back();
    std::vector<RunGroup>& of_test = tests[entry->second];
    const auto same = [&](const RunGroup& other) { return other.device() == group.device(); };
    const auto found = std::find_if(of_test.begin(), of_test.end(), same);
    if (found == of_test.end()) {
      of_test.push_back(group);
    } else {
      found->records.insert(found->records.end(), group.records.begin(), group.records.end());
    }
  }
  std::vector<DeviceTable> tables;
  for (const std::vector<RunGroup>& of_test : tests) {
    if (of_test.size() > 1) tables.push_back(device_table(of_test));
  }
  return tables;
}

}  // namespace weakspot::campaign

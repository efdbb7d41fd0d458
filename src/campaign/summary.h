// The runs of one test on one device, in one environment after the other, seen as one.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"

namespace weakspot::campaign {

struct RunGroup {
  std::vector<RunRecord> records;  // at least one

  const std::string& test() const { return records.front().test; }
  const std::string& device() const { return records.front().device; }
  // Added up: counts, times, witnesses, and the worst thing that happened. Outcomes in the order in which the records
  // name them; everything else as in the first record.
  RunRecord sum() const;
  // The one that showed the most forbidden outcomes per second, or if there are none, weak ones.
  const RunRecord& most_telling() const;
};

// Neighbouring records of the same test and device.
std::vector<RunGroup> group_records(const std::vector<RunRecord>& records);

// The weakest class that was seen, "FORBIDDEN" in capitals; or, where nothing forbidden was seen, how the run failed.
std::string verdict_word(const RunRecord& sum);
std::string class_word(stats::OutcomeClass outcome_class);

// What is known of the forbidden outcomes, in a few lines each.
std::string witness_text(const RunRecord& record);

// "12.3 M"
std::string short_number(double number);
// "12.3 M/s"
std::string rate_text(double rate);

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
// The runs of one test on one device in several environments, taken together.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"

namespace weakspot::campaign {

struct RunGroup {
  std::vector<RunRecord> records;  // at least one

  const std::string& test() const { return records.front().test; }
  const std::string& device() const { return records.front().device; }
  // The sum: counts, times and witnesses added up, and the worst status. Outcomes stand in the order of the records;
  // everything else is as in the first record.
  RunRecord sum() const;
  // The record with the most forbidden outcomes per second; without any, the one with the most weak ones.
  const RunRecord& most_telling() const;
};

// Neighbouring records of the same test and device.
std::vector<RunGroup> group_records(const std::vector<RunRecord>& records);

// The weakest class that was seen, "FORBIDDEN" in capitals; or how the run failed, if nothing forbidden was seen.
std::string verdict_word(const RunRecord& sum);
std::string class_word(stats::OutcomeClass outcome_class);

// Describes the forbidden outcomes, a few lines each.
std::string witness_text(const RunRecord& record);
// Commands for a shell that write the record's test to a file and run it again as it ran: device, environment, seed,
// time, and the model that judged it.
std::string replay_commands(const RunRecord& record);
// Describes the forbidden outcomes of all records, and how to see those of the most telling one again.
std::string violation_details(const std::vector<RunRecord>& records);

// "12.3 M"
std::string short_number(double number);
// "12.3 M/s"
std::string rate_text(double rate);

}  // namespace weakspot::campaign

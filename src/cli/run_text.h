// The results of runs as text for people: one line per test and device, its outcomes below.
#pragma once

#include <string>

#include "campaign/device_table.h"
#include "campaign/summary.h"

namespace weakspot::cli {

// "weak        MP  cpu  1.2 M instances, 3.4 M/s, 56 weak  [most in workgroup_size=32]", the environment if there were
// several
std::string verdict_line(const campaign::RunGroup& group);

struct TableOptions {
  bool colour = false;
  int width = 100;  // of a line, for the bars; 0: no bars
};
// A line per outcome with its count, its class, and a bar on a scale of powers of ten. '*' marks those that satisfy
// the condition.
std::string outcome_lines(const campaign::RunRecord& sum, const TableOptions& options);

// Outcomes by devices, each with its count and how many there were per second.
std::string device_table_text(const campaign::DeviceTable& table);

}  // namespace weakspot::cli

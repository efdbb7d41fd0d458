// SPDX-License-Identifier: MIT
// The results of runs as text for people: one line per test and device, its outcomes below.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "campaign/device_table.h"
#include "campaign/environment_names.h"
#include "campaign/summary.h"

namespace weakspot::cli {

// "weak        MP  cpu  1.2 M instances, 3.4 M/s, 56 weak  [most in env 2]"; the environment is named if there were
// several.
std::string verdict_line(const campaign::RunGroup& group, campaign::EnvironmentNames& names);
// One line, whatever a device has to say: without the environment, and without the rate and the end of the line where
// it would be wider than this.
std::string brief_line(const campaign::RunGroup& group, std::size_t width);

// The settings behind the numbers that results mention, or how to see them. Empty if there are none.
std::string environment_legend(const campaign::EnvironmentNames& names, bool verbose);

// A line per outcome: its count, its class, and a bar on a logarithmic scale. '*' marks the outcomes that satisfy the
// condition. `width`: of a line with its bar.
std::string outcome_lines(const campaign::RunRecord& sum, std::size_t width);

// A row per outcome, a column per device, with counts and rates per second. Devices that do not fit into the width
// follow in a table below.
std::string device_table_text(const campaign::DeviceTable& table, std::size_t width);

// The results for programs, an array.
std::string results_text(const std::vector<campaign::RunRecord>& records);

}  // namespace weakspot::cli

// SPDX-License-Identifier: MIT
// Records as one self-contained HTML page: a summary, then for each test and device a picture of its outcomes on a
// logarithmic scale, and its environments.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"

namespace weakspot::campaign {

std::string html_report(const std::vector<RunRecord>& records);
// Only the tables and the pictures, for a larger page.
std::string html_runs(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign

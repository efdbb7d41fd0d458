// Records as one readable HTML page that needs nothing else: a summary, then for each test and device a picture of its
// outcomes on a scale of powers of ten, where it ran and how.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"

namespace weakspot::campaign {

std::string html_report(const std::vector<RunRecord>& records);
// The table and the pictures alone, for a page that says more.
std::string html_runs(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
// Records as one self-contained HTML page: a summary, then for each test and device a picture of its outcomes on a
// logarithmic scale, and its environments.
#pragma once

#include <string>
#include <vector>

#include "campaign/environment_names.h"
#include "campaign/run_record.h"

namespace weakspot::campaign {

// The forbidden outcomes of these runs, each with its witness and the commands that run it again. Empty if there are
// none.
std::string violations_html(const std::vector<RunRecord>& records);

// The name of an environment; a numbered one links to its row in environments_html().
std::string environment_link(const std::string& settings, EnvironmentNames& names);
// The settings of the numbered environments.
std::string environments_html(const EnvironmentNames& names);

std::string html_report(const std::vector<RunRecord>& records);
// Only the tables and the pictures, for a larger page.
std::string html_runs(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign

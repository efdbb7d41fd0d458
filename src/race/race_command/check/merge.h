// SPDX-License-Identifier: MIT
// Puts the reports of programs that weakspot-nvcc built together.
#pragma once

#include <string>

#include "race_command/check/check_files.h"

namespace weakspot::race_command {

// Merges all reports in the folder that WEAKSPOT_RACE_REPORTS named. Waits a while for checkers that have not written
// theirs. Uses the parts of the request that concern reports: suppressions, classes, and files to write.
base::Result<RaceResults> merge_races(const RaceRequest& asked, const std::string& folder);

}  // namespace weakspot::race_command

// SPDX-License-Identifier: MIT
// Puts the reports of programs that weakspot-nvcc built together.
#pragma once

#include <string>

#include "workbench/race.h"

namespace weakspot::workbench {

// All reports in the folder that WEAKSPOT_RACE_REPORTS named. Waits a while for checkers that have not written theirs.
// Of the request it takes what concerns reports: suppressions, classes, and files to write.
base::Result<RaceResult> merge_races(const RaceRequest& asked, const std::string& folder);

}  // namespace weakspot::workbench

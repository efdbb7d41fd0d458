// SPDX-License-Identifier: MIT
// Litmus tests of the findings of a report, as files.
#pragma once

#include <string>

#include "base/result.h"
#include "race/report.h"

namespace weakspot::workbench {

// Writes two tests for each finding about the order of memory into the folder, which is made, and fills in
// Finding::distilled. `file` is the checked source, which the tests are named after. Fails if the model cannot be read
// or a file cannot be written.
base::Status distil_findings(race::Report& report, const std::string& file, const std::string& folder);

// The index of all tests of the report: @all, for commands that take tests, and index.json, which links them to the
// source.
base::Status write_distilled_index(const race::Report& report, const std::string& folder);

}  // namespace weakspot::workbench

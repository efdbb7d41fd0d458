// SPDX-License-Identifier: MIT
// What makes a finding the same finding after edits elsewhere in the file.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

// Made of the class, the variable and the texts of the lines, not of their numbers.
std::string fingerprint(const Finding& finding, const LineReader& line_of);

}  // namespace weakspot::race

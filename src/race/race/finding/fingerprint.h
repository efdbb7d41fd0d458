// SPDX-License-Identifier: MIT
// Fingerprints, by which a finding stays the same after edits elsewhere in the file.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

// Made of the class, the variable and the texts of the lines, not of their numbers.
std::string fingerprint(const Finding& finding, const LineReader& line_of);
// The least of those of a finding and of all that it stands for: it does not depend on which of them comes first.
std::string fingerprint_of_all(const Finding& finding, const LineReader& line_of);

}  // namespace weakspot::race

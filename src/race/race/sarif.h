// SPDX-License-Identifier: MIT
// A report as SARIF 2.1.0.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

// `line_of` gives the texts of lines. Fingerprints are made of them and not of line numbers, so they survive edits
// elsewhere in the file.
std::string to_sarif(const Report& report, const std::string& version, const LineReader& line_of);

}  // namespace weakspot::race

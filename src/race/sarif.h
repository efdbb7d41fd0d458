// A report as SARIF 2.1.0, the form in which editors and code hosts take findings of analysers.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

// `line_of` gives the texts of lines: fingerprints are made of them and not of numbers, so that they outlive edits
// elsewhere in the file.
std::string to_sarif(const Report& report, const std::string& version, const LineReader& line_of);

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// Reports for other programs and for continuous integration: SARIF 2.1.0, one self-contained HTML page, test cases, and
// a summary for the page of a change.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

// `line_of` gives the texts of lines. Fingerprints are made of them and not of line numbers, so they survive edits
// elsewhere in the file.
std::string to_sarif(const Report& report, const std::string& version, const LineReader& line_of);
std::string to_html(const Report& report, const std::string& title, const LineReader& line_of);
// A case per kernel: findings in it fail it, and a kernel that did not run is skipped.
std::string to_junit(const Report& report);
// Markdown for a reviewer: the verdict, findings with their places, what was not looked at, then hints and kernels.
std::string to_markdown(const Report& report, const std::string& title);

}  // namespace weakspot::race

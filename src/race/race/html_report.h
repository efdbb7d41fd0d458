// SPDX-License-Identifier: MIT
// A report as one self-contained HTML page.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

std::string to_html(const Report& report, const std::string& title, const LineReader& line_of);

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// A report for continuous integration: test cases, and a summary for the page of a change.
#pragma once

#include <string>

#include "race/report.h"

namespace weakspot::race {

// A case per kernel: findings in it fail it, and a kernel that did not run is skipped.
std::string to_junit(const Report& report);
// Markdown for a reviewer: the verdict, findings with their places, what was not looked at, then hints and kernels.
std::string to_markdown(const Report& report, const std::string& title);

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// `weakspot check --progress`: does the test always end?
#pragma once

#include <string>
#include <vector>

#include "workbench/check.h"

namespace weakspot::cli {

// `names` are progress models, or "all". Prints a line for each answer, or an array with `json`; gives the exit code.
int run_check_progress(const workbench::CheckRequest& request, const std::vector<std::string>& names, bool json);

}  // namespace weakspot::cli

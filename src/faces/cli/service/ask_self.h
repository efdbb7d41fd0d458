// SPDX-License-Identifier: MIT
// Asks this program something in a process of its own, so that a device or a kernel that fails takes nothing with it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::cli {

// Runs this program with other words and returns what it prints. Fails with its errors if it prints nothing, or if it
// does not end within five minutes.
base::Result<std::string> ask_self(const std::vector<std::string>& words, const std::string& input = "");

}  // namespace weakspot::cli

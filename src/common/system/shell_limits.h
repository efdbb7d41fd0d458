// SPDX-License-Identifier: MIT
// Limits that a shell sets with ulimit. What fails because of one is reported as if memory or a disk were missing.
#pragma once

#include <string>

namespace weakspot::base {

// A line that names the limits of this process that are low enough to be felt; empty if there are none.
std::string shell_limits_note();

}  // namespace weakspot::base

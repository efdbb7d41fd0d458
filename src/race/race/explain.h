// SPDX-License-Identifier: MIT
// The pages of docs/classes, one for each class of findings, which the program carries.
#pragma once

#include <optional>
#include <string>

#include "race/classes.h"

namespace weakspot::race {

// The page of the class as text for a terminal: its meaning, a kernel that shows it, why, the repair, and how to
// suppress it. None if there is no page, which a test forbids.
std::optional<std::string> explanation(const FindingClass& explained);

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// The reach of a branch's choice.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "litmus/test.h"

namespace weakspot::model {

// For each branch that has a choice, the first place behind it that both of its ways lead to. None if there is none
// before the end, or if the branch decides whether a loop goes on: then all that follows depends on it.
using ArmsMeet = std::map<std::size_t, std::optional<std::size_t>>;
ArmsMeet where_arms_meet(const litmus::Thread& thread);

}  // namespace weakspot::model

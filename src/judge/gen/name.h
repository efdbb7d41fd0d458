// SPDX-License-Identifier: MIT
// Names as the field gives them: the family, then what each thread has between its events: MP+fence.sc+addr, LB+datas,
// SB+po+rfi-po, MP+rel+acq. docs/cycles.md has the rules. A name determines its cycle, so it reads back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "gen/cycle.h"

namespace weakspot::gen {

// Requires a cycle without mistakes. Equal for all rotations of a cycle, different for different cycles.
std::string name_of(const Cycle& cycle);

// cycle_named(name_of(cycle)) is canonical(cycle). Also takes threads in other orders than name_of() gives
// (LB+po+data), and lists in place of plurals (LB+data+data).
base::Result<Cycle> cycle_named(std::string_view name);

}  // namespace weakspot::gen

// SPDX-License-Identifier: MIT
// Reads cycles; to_string() of cycle.h writes them. docs/cycles.md has the grammar.
#pragma once

#include <string_view>

#include "base/result.h"
#include "gen/cycle.h"

namespace weakspot::gen {

// "Rfe Acq PodRR Fre PodWW Rel": edges in order, annotations of an event between its two edges. Gives the cycle as
// written, or every mistake in it, those of check() included.
base::Result<Cycle> parse_cycle(const base::Source& source);
base::Result<Cycle> parse_cycle(std::string_view text);

}  // namespace weakspot::gen

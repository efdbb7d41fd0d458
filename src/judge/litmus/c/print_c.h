// SPDX-License-Identifier: MIT
// Decisions on which the printer of the C-like dialects and adapt_c.cpp must agree.
#pragma once

#include <set>
#include <vector>

#include "litmus/scope_tree.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// The locations that the thread's function takes as parameters: those its instructions name, and those whose address
// it holds in a register that is_c_parameter().
std::set<LocationId> c_parameters(const LitmusTest& test, ThreadId thread);

// Whether the reader would take the register for a parameter: the register has the name of a location, holds its
// address, and no instruction names it (they name the location). The condition may ask for it.
bool is_c_parameter(const LitmusTest& test, ThreadId thread, RegisterId reg);

// The levels to write for each thread in `@sg 0, wg 0, dev 0`: the subgroup only if it is not implied.
std::vector<PartialPlacement> c_placements(const ScopeTree& tree);

}  // namespace weakspot::litmus

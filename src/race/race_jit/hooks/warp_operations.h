// SPDX-License-Identifier: MIT
// Operations that the lanes of a warp compute together: votes, matches, reductions, shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

// Sets the result of each lane's operation. All lanes of one mask take part.
void compute_warp_operation(const std::vector<ThreadContext*>& lanes);

}  // namespace weakspot::race_jit

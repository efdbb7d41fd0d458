// SPDX-License-Identifier: MIT
// Operations that the lanes of a warp compute together: votes, matches, reductions, shuffles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

// Sets the result of each lane's operation. All lanes of one mask take part.
void compute_warp_operation(const std::vector<ThreadContext*>& lanes);

// The same for operations of AMD, by the lanes of a wave that are active. A WaveKind of reading leaves in `width`
// whether the lane that is read takes part.
void compute_wave_operation(const std::vector<ThreadContext*>& lanes, unsigned wave);
// The lane that a lane reads by a control word of AMD's data-parallel primitives; none beyond the row or the wave.
std::optional<unsigned> moved_from(std::uint32_t control, unsigned lane, unsigned wave);
// The same for ds_swizzle.
unsigned swizzled_from(std::uint32_t pattern, unsigned lane);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// The instructions of PTX that the lanes of a warp execute together: shuffles, votes, matches, reductions, and
// matrices spread over lanes.
#pragma once

#include "race_jit/ptx/ptx_tools.h"

namespace weakspot::race_jit {

bool is_ptx_warp(const PtxInstruction& instruction);
// False if it is not one that is modelled.
bool lower_ptx_warp(const PtxInstruction& instruction, const PtxTools& with);

}  // namespace weakspot::race_jit

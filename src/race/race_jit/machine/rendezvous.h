// SPDX-License-Identifier: MIT
// Barriers of a block and operations of a warp, settled between turns: if all threads that one needs have arrived, the
// detector is told and they may run again. What is wrong with how threads meet is noted.
#pragma once

#include "race_jit/machine/block_run.h"

namespace weakspot::race_jit {

class Core;

// True if any thread may go on.
bool settle_barrier(Core& here, BlockRun& block);
bool settle_warps(Core& here, BlockRun& block);

}  // namespace weakspot::race_jit

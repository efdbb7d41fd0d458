// SPDX-License-Identifier: MIT
// A meeting is a barrier for several blocks: those of a cluster, or of the whole grid. A thread arrives and waits in
// one step (sync) or in two, and then knows what all others did before they arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "race/clock.h"
#include "race_jit/machine/context.h"
#include "race_jit/machine/hooks.h"

namespace weakspot::race_jit {

struct BlockRun;

struct Meeting {
  Wait kind = Wait::cluster_barrier;
  std::vector<BlockRun*> blocks;  // by their rank
  std::uint32_t phase = 0;        // how often all have met
  race::Gathering gathering;      // from early arrivals of this phase: threads that do not wait yet
  race::Gathering opened;         // from all arrivals of the last phase
};

// The number of a special register of PTX, "%cluster_ctaid.x": a ClusterRegister plus an axis.
std::optional<std::uint32_t> cluster_register_number(std::string_view name);

// What compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> meeting_hook_symbols();

}  // namespace weakspot::race_jit

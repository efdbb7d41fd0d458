// SPDX-License-Identifier: MIT
// A meeting is a barrier for several blocks: those of a cluster, or of the whole grid. A thread arrives and waits in
// one step (sync) or in two, and then knows what all others did before they arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "race/clock.h"
#include "race/site.h"
#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

class Core;
struct BlockRun;

struct Meeting {
  Wait kind = Wait::cluster_barrier;
  std::vector<BlockRun*> blocks;  // by their rank
  std::uint32_t phase = 0;        // number of times that all have met
  race::Gathering gathering;      // from early arrivals of this phase: threads that do not wait yet
  race::Gathering opened;         // from all arrivals of the last phase
};

class Meetings {
 public:
  explicit Meetings(Core& owner) : core_(owner) {}

  void begin_launch() {
    grid_ = {};
    grid_.kind = Wait::grid_barrier;
  }
  // The cluster of the current thread.
  Meeting& own_cluster();
  // Whether the current thread has met all threads of its cluster, or of the grid.
  bool has_met();
  // On the stack of the current thread. One that has not arrived yet arrives when it waits.
  void arrive(Wait kind, bool relaxed);
  void wait(Wait kind, race::SiteId site);

  // Between turns: let the blocks go on whose threads have all arrived; whether there are any.
  bool settle_clusters();
  bool settle_grid();

 private:
  Meeting& of(Wait kind) { return kind == Wait::grid_barrier ? grid_ : own_cluster(); }
  bool settle(Meeting& here);
  void open(Meeting& here, bool one_step);

  Core& core_;
  Meeting grid_;
};

// The number of a special register of PTX, "%cluster_ctaid.x": a ClusterRegister plus an axis.
std::optional<std::uint32_t> cluster_register_number(std::string_view name);

// Functions that compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> meeting_hook_symbols();

}  // namespace weakspot::race_jit

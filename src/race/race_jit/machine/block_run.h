// SPDX-License-Identifier: MIT
// A block of threads between its start and its end.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "race/thread_state.h"
#include "race_jit/hooks/context.h"

namespace weakspot::race_jit {

struct Meeting;

// Rounds in which the threads of a block only poll, but memory changes, before other blocks are let run.
inline constexpr int kBusyRounds = 64;

struct BlockRun {
  race::BlockState state;
  std::vector<ThreadContext> contexts;
  std::vector<void*> stack_pointers;  // by thread, while it waits; null if it has not started
  std::uint64_t window = 0;           // its window of shared memory
  unsigned running = 0;               // threads that have not ended
  std::shared_ptr<Meeting> cluster;   // null for a block on its own that has not asked for it
  unsigned rank = 0;                  // in its cluster
  base::Rng rng{0};                   // for a random schedule: a block has its own, whatever ran before

  // A round: the threads that can run, in the order of the schedule, each until it waits. Threads hand over to each
  // other; `next` is the place in `ready` of the one that runs next.
  std::vector<std::uint32_t> ready;
  std::size_t next = 0;
  bool same_again = false;  // the next round has the same threads as this one
  bool progress = false;    // a thread did more than give way

  // Counts of waiting threads. The sites of barriers are compared as threads arrive.
  unsigned at_barrier = 0;
  unsigned in_warp_operation = 0;
  race::SiteId barrier_site = 0;
  bool mixed_barrier = false;           // threads came to different sites, or one computes a value
  unsigned at_bare_barrier = 0;         // how many of them wait at one that orders no memory
  std::vector<ThreadContext*> waiting;  // kept for its memory
};

}  // namespace weakspot::race_jit

// What the detector knows of a running thread and of its block. Instrumented code reads the first
// members of ThreadState directly, so that they have a fixed layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "race/clock.h"
#include "race/entry.h"

namespace weakspot::race {

struct BlockState;

struct ThreadState {
  // make_entry() of a plain access of this thread to a whole word, now, but for the site.
  Entry now = 0;
  // Of the block, copied at each barrier: entries in [block_first, needed_from) are ordered before this
  // thread and teach nothing more. Entries before the stale bounds are of earlier launches or, in
  // shared memory, of another block that used the same addresses.
  Interval block_first = 0;
  Interval needed_from = 0;
  Interval stale_global = 0;
  Interval stale_shared = 0;

  BlockState* block = nullptr;
  std::uint32_t thread = 0;
  Interval warp_from = 0;  // what its warp did before is ordered before this thread

  ClockRef clock;            // acquired
  ClockRef pending_acquire;  // read by relaxed strong reads; a fence would acquire it
  ClockRef fenced;           // what a strong write publishes, since the last fence
  Scope fence_scope = Scope::block;

  Interval interval() const { return interval_of(now); }
};

struct BlockState {
  std::uint32_t index = 0;
  Interval first = 0;
  Interval barrier_from = 0;  // the interval that the last barrier began, or the first
  // Barriers of one site in a row, the last one included, began after this interval: an access since
  // then is ordered by that site alone. 0 when the last barrier's site is known to be needed, or none was met.
  Interval run_from = 0;
  SiteId last_barrier = 0;
  bool met_barrier = false;
  std::vector<ThreadState> threads;
};

}  // namespace weakspot::race

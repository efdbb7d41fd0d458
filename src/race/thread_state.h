// What the detector knows of a running thread and of its block. Instrumented code reads ThreadState::now and
// Bounds directly.
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

// By which an entry is found harmless in a few comparisons; all are least entries of intervals, and no entry of a
// strong access is less than any of them. The bounds may be too narrow but never too wide: whoever finds no answer here
// asks the detector.
//
// In shared memory, what is less than shared_settled is of another block that used the same addresses, or is ordered
// before the threads of this block and teaches nothing more.
//
// In global memory, entries less than `stale` are of earlier launches; those less than `stale + foreign` may be of
// other blocks; from there to `settled` they are of this block, ordered and teach nothing more; up to `own_end` they
// are of this block.
struct Bounds {
  Entry shared_settled = 0;
  Entry stale = 0;
  Entry foreign = 0;
  Entry settled = 0;
  Entry own_end = 0;
};

struct ThreadState {
  // make_entry() of a plain access of this thread to a whole word, now, but for the site.
  Entry now = 0;
  BlockState* block = nullptr;
  std::uint32_t thread = 0;
  Interval warp_from = 0;    // what its warp did before is ordered before this thread
  Interval warp_synced = 0;  // the same by the warp alone, without barriers of the block

  ClockRef clock;            // acquired
  ClockRef pending_acquire;  // read by relaxed strong reads; a fence would acquire it
  ClockRef fenced;           // what a strong write publishes, since the last fence
  Scope fence_scope = Scope::block;

  Interval interval() const { return interval_of(now); }
};

struct BlockState {
  Bounds bounds;
  std::uint32_t index = 0;
  Interval first = 0;         // since the start of the block, or of all blocks together at a grid barrier
  Interval shared_from = 0;   // entries of shared memory before it are of others that used the addresses
  Interval barrier_from = 0;  // the interval that the last barrier began, or the first
  // Barriers of one site in a row, the last one included, began after this interval: an access since
  // then is ordered by that site alone. 0 when the last barrier's site is known to be needed, or none was met.
  Interval run_from = 0;
  SiteId last_barrier = 0;
  bool met_barrier = false;
  bool has_clocks = false;  // one of the threads has acquired something, or could
  ClockRef met;             // what the last barrier of several blocks orders by itself
  std::vector<ThreadState> threads;
};

}  // namespace weakspot::race

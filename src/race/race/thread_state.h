// SPDX-License-Identifier: MIT
// The detector's knowledge of a running thread and its block. Instrumented code reads ThreadState::now and Bounds
// directly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "race/access.h"
#include "race/clock.h"
#include "race/entry.h"

namespace weakspot::race {

struct BlockState;

// A few comparisons with these find most entries harmless. All are least entries of intervals, and no entry of a strong
// access is less than any of them. The bounds may be too narrow but never too wide: an access that they do not decide
// goes to the detector. An entry is settled if it is ordered before all threads of the block and shows nothing more
// about which barriers are needed.
//
// In shared memory, an entry less than shared_settled is settled, or is of another block that used the same addresses.
//
// In global memory, entries less than `stale` are of earlier launches; those less than `stale + foreign` may be of
// other blocks; from there to `settled` they are of this block and settled; up to `own_end` they are of this block.
struct Bounds {
  Entry shared_settled = 0;
  Entry stale = 0;
  Entry foreign = 0;
  Entry settled = 0;
  Entry own_end = 0;
};

struct ThreadState {
  // make_entry() for a plain access of this thread to a whole word now, without the site.
  Entry now = 0;
  BlockState* block = nullptr;
  std::uint32_t thread = 0;
  Interval warp_from = 0;    // everything its warp did before is ordered before this thread
  Interval warp_synced = 0;  // the same by the warp alone, without barriers of the block

  ClockRef clock;  // acquired
  // Read by relaxed strong reads; a fence acquires those that its scope reaches.
  ClockRef pending_near, pending_cluster, pending_wide;
  // Knowledge that a strong write publishes: to its block, since the last fence of any scope; to its cluster, since the
  // last one of more than block scope; and to all, since the last one of more than cluster scope. Most fences publish
  // nothing: a clock is made when it is needed.
  struct Fenced {
    bool any = false;
    ClockRef clock, made;                                   // of the thread at the fence; with its own steps, once made
    Interval up_to = 0, warp_before = 0, block_before = 0;  // the thread's own steps
  };
  Fenced fenced_near, fenced_cluster, fenced_wide;
  // The same for the accesses to one space, by fences for one address space; null: nothing beyond the above.
  struct Part {
    ClockRef clock, pending_near, pending_wide;
    Fenced fenced_near, fenced_wide;
  };
  using Parts = std::map<Space, Part>;
  std::shared_ptr<Parts> parts;  // of this thread alone; a unique_ptr has no standard layout, which checks need

  Interval interval() const { return interval_of(now); }
};

struct BlockState {
  Bounds bounds;
  std::uint32_t index = 0;
  Interval first = 0;         // since the block started, or since the last grid barrier
  Interval shared_from = 0;   // earlier entries of shared memory are of others that used the addresses
  Interval barrier_from = 0;  // the interval that the last barrier began, or the first
  // All barriers since this interval have the site of the last one: it alone orders an access since then. 0 if that
  // site is known to be needed, or no barrier was met.
  Interval run_from = 0;
  Interval bare_from = 0;  // all threads have met since earlier intervals, at a barrier that orders no memory
  SiteId last_barrier = 0;
  bool met_barrier = false;
  bool has_clocks = false;  // some thread has acquired something, or could
  bool has_parts = false;   // some thread has ThreadState::parts
  ClockRef met;             // the order that the last barrier of several blocks makes by itself
  std::vector<ThreadState> threads;
};

}  // namespace weakspot::race

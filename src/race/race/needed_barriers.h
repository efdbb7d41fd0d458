// SPDX-License-Identifier: MIT
// Finds the needed barriers: those that ordered a conflicting pair of accesses that nothing else orders.
#pragma once

#include <set>
#include <utility>

#include "race/thread_state.h"

namespace weakspot::race {

class NeededBarriers {
 public:
  void start_launch(bool is_concurrent) {
    keeps_all_ = false;
    if (!is_concurrent) met_.clear();
  }
  // For a detector that shares the blocks of a launch.
  void join_launch(const NeededBarriers& main) {
    keeps_all_ = main.keeps_all_;
    needed_ = main.needed_;
    met_.clear();
    chains_ = 0;
  }

  // The block has met at the site, before its order is told.
  void meet(BlockState& block, SiteId site) {
    if (!block.met_barrier || block.last_barrier != site) block.run_from = block.barrier_from;
    if (needed_.contains(site)) block.run_from = 0;
    met_.insert(site);
    if (keeps_all_) needed_.insert(site);
    block.met_barrier = true;
    block.last_barrier = site;
  }
  // A barrier ordered an access of the interval before one of the block. True if that shows the last one to be needed,
  // which the block's bounds depend on.
  bool note_use(Interval interval, BlockState& block) {
    if (interval >= block.barrier_from || block.run_from == 0 || interval < block.run_from) return false;
    needed_.insert(block.last_barrier);
    block.run_from = 0;
    return true;
  }
  // A chain of releases and acquires ordered two accesses. Any barrier may be part of it: none is called redundant.
  void note_chain() {
    keep_met();
    ++chains_;
  }

  void keep(SiteId site) { needed_.insert(site); }
  void keep_met() { needed_.insert(met_.begin(), met_.end()); }
  // All barriers of the launch from now on.
  void keep_all() { keeps_all_ = true; }

  bool contains(SiteId site) const { return needed_.contains(site); }
  std::set<SiteId> take() { return std::exchange(needed_, {}); }
  std::uint64_t chains() const { return chains_; }

 private:
  std::set<SiteId> needed_;
  std::set<SiteId> met_;  // in this launch and concurrent ones
  bool keeps_all_ = false;
  std::uint64_t chains_ = 0;
};

}  // namespace weakspot::race

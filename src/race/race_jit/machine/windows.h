// SPDX-License-Identifier: MIT
// The view of memory that compiled code has: for each site of the source the allocation that it accessed last, so that
// most accesses are checked without a call; and which allocations a launch has accessed.
#pragma once

#include <cstdint>
#include <vector>

#include "race/site.h"
#include "race_jit/hooks/context.h"
#include "race_jit/storage/arena.h"
#include "race_jit/storage/touched.h"

namespace weakspot::race_jit {

class Core;

class Windows {
 public:
  // `cells` are those of the core's shadow.
  Windows(Core& owner, race::Cell* cells) : core_(owner), cells_(cells) {}

  void begin_launch(std::size_t sites) {
    touched_.clear();
    of_sites_.assign(sites, {});
  }
  // Lets compiled code find the cells of the allocation that the site accesses, in these ways.
  void remember(race::SiteId site, const Allocation& allocation, TouchBits touch);
  void forget() { of_sites_.assign(of_sites_.size(), {}); }
  SiteWindow* data() { return of_sites_.data(); }
  race::Cell* cells() const { return cells_; }
  // The allocations accessed in the launch that runs or ran last.
  const Touched& touched() const { return touched_; }
  // Memory for an access to none: zero, and nobody sees what is written.
  void* scratch(std::uint64_t size);

 private:
  Core& core_;
  race::Cell* cells_;
  std::vector<SiteWindow> of_sites_;
  Touched touched_;
  std::vector<char> scratch_;
};

}  // namespace weakspot::race_jit

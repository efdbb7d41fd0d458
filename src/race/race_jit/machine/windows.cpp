// SPDX-License-Identifier: MIT
#include "race_jit/machine/windows.h"

#include <cstring>
#include <limits>
#include <memory>

#include "race_jit/machine/core.h"

namespace weakspot::race_jit {

void Windows::remember(race::SiteId site, const Allocation& allocation, TouchBits touch) {
  // The last number stands for many sites.
  if (site == std::numeric_limits<race::SiteId>::max()) touch |= kTouchRead | kTouchWrite;
  const TouchBits fresh = touched_.add(allocation.begin, touch);
  if ((fresh & ~kTouchRead) != 0 && !core_.may_write(allocation)) return;
  weakspot_current->windows[site] = {reinterpret_cast<std::uint64_t>(core_.arena().base()) + allocation.begin,
                                     allocation.size / 4, cells_ + allocation.begin / 4};
}

void* Windows::scratch(std::uint64_t size) {
  if (scratch_.size() < size + 64) scratch_.resize(size + 64);
  void* start = scratch_.data();
  std::size_t room = scratch_.size();
  std::align(16, size, start, room);
  std::memset(start, 0, size);
  return start;
}

}  // namespace weakspot::race_jit

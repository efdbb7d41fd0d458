// SPDX-License-Identifier: MIT
#include "race/clock.h"

#include <algorithm>

namespace weakspot::race {
namespace {

template <typename Map, typename Key>
void raise(Map& map, const Key& key, Interval value) {
  Interval& known = map[key];
  known = std::max(known, value);
}

template <typename Map>
void raise_all(Map& map, const Map& other) {
  for (const auto& [key, value] : other) raise(map, key, value);
}

}  // namespace

void Clock::know_thread(ThreadName thread, Interval up_to) { raise(threads_, thread, up_to); }

void Clock::know_warp(ThreadName any_lane, Interval before) {
  raise(warps_, std::pair(any_lane.block, any_lane.warp()), before);
}

void Clock::know_block(std::uint32_t block, Interval before) { raise(blocks_, block, before); }

void Clock::join(const Clock& other) {
  raise_all(threads_, other.threads_);
  raise_all(warps_, other.warps_);
  raise_all(blocks_, other.blocks_);
}

bool Clock::knows(ThreadName thread, Interval interval) const {
  if (auto found = blocks_.find(thread.block); found != blocks_.end() && interval < found->second) return true;
  if (auto found = warps_.find({thread.block, thread.warp()}); found != warps_.end() && interval < found->second) {
    return true;
  }
  auto found = threads_.find(thread);
  return found != threads_.end() && interval <= found->second;
}

ClockRef joined(const ClockRef& a, const ClockRef& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto sum = std::make_shared<Clock>(*a);
  sum->join(*b);
  return sum;
}

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// What a thread knows about other threads beyond barriers, because it acquired what they released.
//
// A clock maps threads, warps and blocks to intervals. It knows everything that a thread did up to and including its
// interval, and everything that a warp or block did before its interval. Most kernels never release anything, and then
// no clock exists at all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "race/entry.h"

namespace weakspot::race {

// A thread of a launch, by block and thread number.
struct ThreadName {
  std::uint32_t block = 0;
  std::uint32_t thread = 0;

  auto operator<=>(const ThreadName&) const = default;
  std::uint32_t warp() const { return thread / kWarp; }
};

class Clock {
 public:
  void know_thread(ThreadName thread, Interval up_to);
  void know_warp(ThreadName any_lane, Interval before);
  void know_block(std::uint32_t block, Interval before);
  void join(const Clock& other);

  bool knows(ThreadName thread, Interval interval) const;

 private:
  std::map<ThreadName, Interval> threads_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Interval> warps_;
  std::map<std::uint32_t, Interval> blocks_;
};

// Shared and never changed once shared; null knows nothing.
using ClockRef = std::shared_ptr<const Clock>;
ClockRef joined(const ClockRef& a, const ClockRef& b);

// The joint knowledge of all threads that arrive at one place. Each clock is joined once: most threads share theirs.
struct Gathering {
  std::shared_ptr<Clock> clock;
  std::set<ClockRef> taken;  // parts of `clock`
};

}  // namespace weakspot::race

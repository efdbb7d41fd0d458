// What a thread knows of the others beyond barriers: the result of acquiring what somebody released.
//
// A clock maps threads, warps and blocks to intervals: of a thread everything up to and including the
// interval is known, of a warp or block everything before it. Most kernels never release anything and
// then no clock exists at all.
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

// What all know who arrive at one place, each joined once: threads mostly share the clocks that they have.
struct Gathering {
  std::shared_ptr<Clock> clock;
  std::set<ClockRef> taken;  // parts of `clock`
};

}  // namespace weakspot::race

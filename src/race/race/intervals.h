// SPDX-License-Identifier: MIT
// Hands out interval numbers and remembers their blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "race/entry.h"

namespace weakspot::race {

// From `begin` up to but not including `end`.
struct IntervalRange {
  Interval begin = 0, end = 0;
};

class Intervals {
 public:
  explicit Intervals(Interval limit) : limit_(limit) {}
  // A fresh interval of `block`; the last one again if none is left.
  Interval next(std::uint32_t block);
  // The block of an interval of this launch.
  std::uint32_t block_of(Interval interval) const;
  // Everything before `stale` is ordered before all that follows, and is forgotten unless a later launch needs it.
  void start_launch(Interval stale, bool keep);
  Interval launch_start() const { return launch_start_; }
  // Whether all intervals since this one, which is the block's own, belong to the block.
  bool alone_since(Interval interval, std::uint32_t block) const {
    return !ranges_.empty() && ranges_.back().block == block && ranges_.back().first <= interval;
  }
  Interval last() const { return last_; }
  // Leaves out what others have handed out.
  void skip_to(Interval last) {
    if (last > last_) last_ = last;
  }
  // Whether the limit is reached. Some intervals are held in reserve, so that asking now and then is enough.
  bool are_spent() const { return last_ >= limit_; }

 private:
  // Blocks mostly run one after another, so a few ranges cover everything.
  struct Range {
    Interval first;
    std::uint32_t block;
  };
  std::vector<Range> ranges_;
  Interval limit_;
  Interval last_ = 0;
  Interval launch_start_ = 1;
};

}  // namespace weakspot::race

// Hands out interval numbers and remembers whose they are.
#pragma once

#include <cstdint>
#include <vector>

#include "race/entry.h"

namespace weakspot::race {

// From the first up to but not including the last.
struct IntervalRange {
  Interval begin = 0, end = 0;
};

class Intervals {
 public:
  explicit Intervals(Interval limit) : limit_(limit) {}
  // A fresh interval of `block`; the last one again where there is none left.
  Interval next(std::uint32_t block);
  // The block of an interval of this launch.
  std::uint32_t block_of(Interval interval) const;
  // What happened before `stale` is ordered before everything to come, and forgotten unless it is kept for a launch to
  // come.
  void start_launch(Interval stale, bool keep);
  Interval launch_start() const { return launch_start_; }
  // Whether every interval from this one, the block's own, up to now is of the block.
  bool alone_since(Interval interval, std::uint32_t block) const {
    return !ranges_.empty() && ranges_.back().block == block && ranges_.back().first <= interval;
  }
  Interval last() const { return last_; }
  // Whether the limit is reached. Some are kept back, so that whoever asks now and then finds out in time.
  bool are_spent() const { return last_ >= limit_; }

 private:
  // Blocks mostly run one after the other, so that a few ranges say all.
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

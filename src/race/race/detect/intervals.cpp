// SPDX-License-Identifier: MIT
#include "race/intervals.h"

#include <algorithm>

#include "base/check.h"

namespace weakspot::race {

Interval Intervals::next(std::uint32_t block) {
  if (last_ < kMaxInterval) ++last_;
  if (ranges_.empty() || ranges_.back().block != block) ranges_.push_back({last_, block});
  return last_;
}

std::uint32_t Intervals::block_of(Interval interval) const {
  auto after = std::upper_bound(ranges_.begin(), ranges_.end(), interval,
                                [](Interval value, const Range& range) { return value < range.first; });
  WEAKSPOT_CHECK(after != ranges_.begin());
  return std::prev(after)->block;
}

void Intervals::start_launch(Interval stale, bool keep) {
  if (!keep) ranges_.clear();
  launch_start_ = stale;
}

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
#include "backend/mixed/delay_tuner.h"

#include <cmath>
#include <numeric>

namespace weakspot::backend {
namespace {

// A word crosses the bus in about a microsecond, and a GPU gets going in a few.
constexpr std::int32_t kLadder[] = {0,    500,   -500, 1000,  -1000, 2000,   -2000,  3000,   -3000,
                                    4500, -4500, 7000, -7000, 10000, -10000, -14000, -20000, -30000};
constexpr std::int32_t kSteps[] = {500, -500, 1000, -1000};

}  // namespace

DelayTuner::DelayTuner(std::int32_t asked) : best_(asked) {
  if (asked == 0) candidates_.assign(std::begin(kLadder), std::end(kLadder));
}

std::int32_t DelayTuner::next() const { return tunes() ? candidates_[at_] : best_; }

void DelayTuner::note(double score) {
  if (!tunes()) return;
  if (score > best_score_) {
    best_ = candidates_[at_];
    best_score_ = score;
  }
  if (++at_ < candidates_.size() || refined_) return;
  refined_ = true;
  const std::int32_t center = best_;
  for (const std::int32_t step : kSteps) candidates_.push_back(center + step);
}

double variety(const std::vector<std::uint64_t>& counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double bits = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / all;
    bits -= share * std::log2(share);
  }
  return bits;
}

}  // namespace weakspot::backend

// SPDX-License-Identifier: MIT
#include "serve/api/rate_limit.h"

#include <algorithm>

namespace weakspot::serve {
namespace {

constexpr std::size_t kMostAddresses = 100'000;

}  // namespace

// The amount that is still spent at `now`.
double RateLimit::left_of(const Spent& spent, Clock::time_point now) const {
  const double minutes = std::chrono::duration<double>(now - spent.at).count() / 60;
  return std::max(0.0, spent.amount - minutes * per_minute_);
}

void RateLimit::forget_rested(Clock::time_point now) {
  std::erase_if(spent_, [&](const auto& entry) { return left_of(entry.second, now) == 0; });
}

bool RateLimit::allows(const std::string& address, Clock::time_point now) {
  if (spent_.size() >= kMostAddresses) forget_rested(now);
  // So many at once are an attack: everybody waits.
  if (spent_.size() >= kMostAddresses && !spent_.contains(address)) return false;
  Spent& spent = spent_[address];
  const double left = left_of(spent, now);
  if (left + 1 > burst_) return false;
  spent = {left + 1, now};
  return true;
}

}  // namespace weakspot::serve

// SPDX-License-Identifier: MIT
// Limits how often one address may send something. Addresses are in memory only, and only as long as they are limited.
#pragma once

#include <chrono>
#include <string>
#include <unordered_map>

namespace weakspot::serve {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // Every address may do `burst` things at once, and `per_minute` in the long run.
  RateLimit(double per_minute, double burst) : per_minute_(per_minute), burst_(burst) {}

  bool allows(const std::string& address, Clock::time_point now);
  std::size_t remembered() const { return spent_.size(); }

 private:
  struct Spent {
    double amount = 0;
    Clock::time_point at;
  };

  void forget_rested(Clock::time_point now);
  double left_of(const Spent& spent, Clock::time_point now) const;

  double per_minute_;
  double burst_;
  std::unordered_map<std::string, Spent> spent_;
};

}  // namespace weakspot::serve

// SPDX-License-Identifier: MIT
// What is left of the time and memory that a verdict may take.
//
// Everything in this module that can take long holds one and asks it, at least every millisecond or so: the search for
// candidates, the paths of loops, the operations on large relations, the fixpoints and orders of a model, its
// interpretation, and explanations. Once it is used up it stays so, and everyone who asks returns soon with an answer
// that means nothing; whoever owns the allowance looks at it and calls the verdict incomplete.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "model/limits.h"

namespace weakspot::model {

// One per thread; those of one verdict start at the same time.
class Allowance {
 public:
  using Clock = std::chrono::steady_clock;

  // Without limits.
  Allowance() = default;
  explicit Allowance(const Limits& limits, Clock::time_point start = Clock::now());

  bool used_up() const { return used_up_; }
  // Why it is used up, for a person; empty if it is not.
  const std::string& reason() const { return reason_; }

  // Counts work in steps of about a microsecond, and looks at the clock and the flag now and then. True: give up.
  bool spend(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ < kStepsPerLook || used_up_) return used_up_;
    return look();
  }
  // Looks now.
  bool look();
  // False, and used up, if so many bytes are more than the limit.
  bool holds(std::uint64_t bytes) {
    if (memory_ == 0 || bytes <= memory_) return true;
    out_of_memory();
    return false;
  }
  void out_of_memory();
  // A recursion of the model goes on for ever.
  void unsettled() { give_up("a recursive definition of the model never settles"); }
  // For another reason than time or memory; the first reason stays.
  void give_up(std::string reason);

  std::uint64_t memory() const { return memory_; }  // bytes; 0: no limit

 private:
  static constexpr std::uint64_t kStepsPerLook = 64;

  Clock::time_point end_{};
  std::chrono::milliseconds time_{0};  // 0: no limit
  std::uint64_t memory_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  std::uint64_t steps_ = 0;
  bool used_up_ = false;
  std::string reason_;
};

}  // namespace weakspot::model

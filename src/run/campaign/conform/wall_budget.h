// SPDX-License-Identifier: MIT
// The time of a conformance run by the clock: what a program costs before it runs, learnt from those so far, and
// whether more of them fit. Some drivers take a millisecond to compile a program and some take seconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace weakspot::campaign {

class WallBudget {
 public:
  // `clock` gives seconds since any moment; at least `at_once` programs are compiled together.
  WallBudget(double seconds, std::function<double()> clock, std::size_t at_once)
      : seconds_(seconds), at_once_(at_once), clock_(std::move(clock)), start_(clock_()) {}

  double elapsed() const { return clock_() - start_; }
  double left() const { return seconds_ - elapsed(); }
  bool is_over() const { return elapsed() > seconds_ * kOvertime + kGrace; }

  // Compiling took so long, for this many more programs: none if they were noted when they were announced. The first
  // one also opens the device, and counts only until others are known.
  void note(double seconds, std::size_t programs) {
    if (!opened_) {
      opened_ = true;
      first_ = seconds / std::max(1.0, static_cast<double>(programs));
      return;
    }
    spent_ += seconds;
    programs_ += static_cast<double>(programs);
  }
  double per_program() const { return programs_ == 0 ? first_ : spent_ / programs_; }

  // Whether these programs can be compiled within a part of the budget.
  bool fits(std::size_t programs, double part) const {
    return elapsed() + per_program() * static_cast<double>(programs) <= part * seconds_;
  }
  // The number of programs to compile together: as many as take a twentieth of the time.
  std::size_t batch() const {
    if (programs_ == 0) return at_once_;
    const double most = seconds_ / 20 / std::max(per_program(), 1e-6);
    return std::max(at_once_, static_cast<std::size_t>(std::min(most, 256.0)));
  }

 private:
  static constexpr double kOvertime = 1.1;
  static constexpr double kGrace = 0.5;  // seconds

  double seconds_;
  std::size_t at_once_;
  std::function<double()> clock_;
  double start_;
  bool opened_ = false;
  double first_ = 0, spent_ = 0, programs_ = 0;
};

}  // namespace weakspot::campaign

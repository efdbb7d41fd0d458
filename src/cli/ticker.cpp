// SPDX-License-Identifier: MIT
#include "cli/ticker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/interrupt.h"

namespace weakspot::cli {

Ticker::Ticker(double budget, std::string what)
    : budget_(budget), what_(std::move(what)), active_(::isatty(STDERR_FILENO) == 1) {}

void Ticker::started(const campaign::RunRecord& so_far) {
  before_ += current_;
  current_ = 0;
  progress(so_far);
}

void Ticker::progress(const campaign::RunRecord& so_far) {
  current_ = so_far.seconds;
  const Clock::time_point now = Clock::now();
  if (!active_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double left = std::max(budget_ - before_ - current_, 0.0);
  fmt::print(stderr, "\r\033[K{} {:3.0f} %, {:.0f} s left   {}", what_, 100 * (1 - left / budget_), left, so_far.test);
  std::fflush(stderr);
  drawn_ = true;
}

bool Ticker::cancelled() { return InterruptGuard::interrupted(); }

void Ticker::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace weakspot::cli

// SPDX-License-Identifier: MIT
#include "cli/ticker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "cli/commands.h"
#include "cli/fold.h"
#include "cli/interrupt.h"
#include "cli/live.h"

namespace weakspot::cli {

std::string ticker_text(const TickerState& state) {
  if (state.runs == 0) return fmt::format("{}: preparing, {}", state.what, time_text(state.seconds));
  std::string text = state.what;
  const double done = state.budget > 0 ? std::clamp(state.device_seconds / state.budget, 0.0, 1.0) : 0;
  if (state.budget > 0) text += fmt::format(" {:3.0f} %", 100 * done);
  if (done > 0.005) text += fmt::format(", {} left", time_text(state.seconds * (1 - done) / done));
  return text + fmt::format("   {} run{} in {}, {}", state.runs, state.runs == 1 ? "" : "s", time_text(state.seconds),
                            state.test);
}

Ticker::Ticker(double budget, std::string what) {
  state_.what = std::move(what);
  state_.budget = budget;
  if (!terminal_of(STDERR_FILENO).redraws) return;
  // Ctrl-C is for the thread that does the work: it may wait in a call that a signal ends.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { draw_until_stopped(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Ticker::planned(double device_seconds) {
  const std::lock_guard lock(mutex_);
  state_.budget = device_seconds;
}

void Ticker::started(const campaign::RunRecord& so_far) {
  const std::lock_guard lock(mutex_);
  before_ = state_.device_seconds;
  ++state_.runs;
  state_.test = so_far.test;
}

void Ticker::progress(const campaign::RunRecord& so_far) {
  const std::lock_guard lock(mutex_);
  state_.device_seconds = before_ + so_far.seconds;
}

bool Ticker::cancelled() { return InterruptGuard::interrupted(); }

void Ticker::draw_until_stopped() {
  constexpr auto kPatience = std::chrono::milliseconds(500);  // a short job shows nothing
  constexpr auto kSpacing = std::chrono::milliseconds(200);
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, drawn ? kSpacing : kPatience, [this] { return stopped_; })) {
    state_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::string line = clipped(screen_text(ticker_text(state_)), terminal_of(STDERR_FILENO).width - 1);
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    drawn = true;
  }
  if (drawn) fmt::print(stderr, "\r\033[K");
}

void Ticker::clear() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

}  // namespace weakspot::cli

// SPDX-License-Identifier: MIT
#include "cli/display/ticker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/display/live.h"
#include "console/fold.h"
#include "console/interrupt.h"

namespace weakspot::cli {

void JobProgress::started(const std::string& test, double now) {
  test_ = test;
  of_run_ = 0;
  if (runs_++ != 0) return;
  from_ = now;
  done_before_ = done_;
}

void JobProgress::advanced(double part, double now) {
  if (part < done_) {
    from_ = now;
    done_before_ = part;
  }
  done_ = std::clamp(part, 0.0, 1.0);
  of_run_ = 0;
}

double JobProgress::done() const { return std::min(done_ + part_each_ * of_run_, 1.0); }

// By the pace of the runs so far; nothing while there are too few of them to tell.
std::string JobProgress::left(double now) const {
  constexpr double kLeastPart = 0.01, kLeastSeconds = 1;
  if (budget_ > 0) return fmt::format(", {} left", time_text(std::max(budget_ - now, 0.0)));
  const double part = done() - done_before_, seconds = now - from_;
  if (part < kLeastPart || seconds < kLeastSeconds) return "";
  return fmt::format(", {} left", time_text(seconds * (1 - done()) / part));
}

std::string JobProgress::text(double now) const {
  if (runs_ == 0) return fmt::format("{}: preparing, {}", what_, time_text(now));
  const double part = budget_ > 0 ? std::clamp(now / budget_, 0.0, 1.0) : done();
  return fmt::format("{} {:3.0f} %{}   {} in {}, {}", what_, 100 * part, left(now), base::counted(runs_, "run"),
                     time_text(now), test_);
}

Ticker::Ticker(JobProgress job) : job_(std::move(job)) {
  if (!terminal_of(STDERR_FILENO).redraws) return;
  // Ctrl-C is for the thread that does the work: it may wait in a call that a signal ends.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { draw_until_stopped(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Ticker::started(const campaign::RunRecord& so_far) {
  const std::lock_guard lock(mutex_);
  job_.started(so_far.test, now());
}

void Ticker::advanced(double part) {
  const std::lock_guard lock(mutex_);
  job_.advanced(part, now());
}

void Ticker::will_run(double part_each) {
  const std::lock_guard lock(mutex_);
  job_.will_run(part_each);
}

void Ticker::progress(const campaign::RunRecord& so_far) {
  const std::lock_guard lock(mutex_);
  job_.run_advanced(progress_of(so_far));
}

bool Ticker::cancelled() { return InterruptGuard::interrupted(); }

void Ticker::draw_until_stopped() {
  constexpr auto kPatience = std::chrono::milliseconds(500);  // a short job shows nothing
  constexpr auto kSpacing = std::chrono::milliseconds(200);
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, drawn ? kSpacing : kPatience, [this] { return stopped_; })) {
    const std::string line = clipped(screen_text(job_.text(now())), terminal_of(STDERR_FILENO).width - 1);
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

// SPDX-License-Identifier: MIT
// One line on a terminal that shows the progress of a job with a known amount of device time; it also listens for
// Ctrl-C.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "campaign/runner.h"

namespace weakspot::cli {

// How far a job is.
struct TickerState {
  std::string what;           // the job
  std::string test;           // the one that runs; empty before the first
  double budget = 0;          // seconds of device time; 0: not known
  double device_seconds = 0;  // used so far
  double seconds = 0;         // since the job began
  std::size_t runs = 0;
};
// "tune  25 %, 1 min 30 s left   12 runs in 30 s, MP"; as long as nothing runs: "tune: preparing, 2 s".
std::string ticker_text(const TickerState& state);

// The line is drawn on a thread of its own, so that it moves while a device or a model takes its time.
class Ticker final : public campaign::RunObserver {
 public:
  // Draws nothing unless standard error is a terminal that can be drawn over.
  Ticker(double budget, std::string what);
  ~Ticker() override { clear(); }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  void planned(double device_seconds) override;
  void started(const campaign::RunRecord& so_far) override;
  void progress(const campaign::RunRecord& so_far) override;
  bool cancelled() override;
  // Removes the line and ends.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void draw_until_stopped();

  const Clock::time_point start_ = Clock::now();
  double before_ = 0;  // device seconds of the runs that have ended
  std::mutex mutex_;   // of what follows
  TickerState state_;
  bool stopped_ = false;
  std::condition_variable stop_;
  std::thread thread_;
};

}  // namespace weakspot::cli

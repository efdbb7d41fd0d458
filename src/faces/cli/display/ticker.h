// SPDX-License-Identifier: MIT
// One line on a terminal that shows the progress of a job of many runs; it also listens for Ctrl-C.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "campaign/runner.h"

namespace weakspot::cli {

// The progress of a job. Times are seconds since the job began.
class JobProgress {
 public:
  // `budget`: the time that the job has by the clock; 0: it lasts until all of it is done.
  explicit JobProgress(std::string what, double budget = 0) : what_(std::move(what)), budget_(budget) {}

  void started(const std::string& test, double now);
  // The part of the job that is done, from 0 to 1. Less than before: the job has begun again.
  void advanced(double part, double now);
  // The part of the job that each run is (0: not known), and the part of the current run that is done.
  void will_run(double part_each) { part_each_ = part_each; }
  void run_advanced(double part) { of_run_ = part; }
  // "tune  25 %, 1 min 30 s left   12 runs in 30 s, MP"; before the first run: "tune: preparing, 2 s".
  std::string text(double now) const;

 private:
  double done() const;
  std::string left(double now) const;

  std::string what_, test_;
  double budget_ = 0, done_ = 0, part_each_ = 0, of_run_ = 0;
  std::size_t runs_ = 0;
  // The first run. Preparing, and what a journal already knew, say nothing about the time that runs take.
  double from_ = 0, done_before_ = 0;
};

// The line is drawn on a thread of its own, so that it moves while a device or a model takes its time.
class Ticker final : public campaign::RunObserver {
 public:
  // Draws nothing unless standard error is a terminal that can be drawn over.
  explicit Ticker(JobProgress job);
  ~Ticker() override { clear(); }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  void started(const campaign::RunRecord& so_far) override;
  void advanced(double part) override;
  void will_run(double part_each) override;
  void progress(const campaign::RunRecord& so_far) override;
  bool cancelled() override;
  // Removes the line and ends.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void draw_until_stopped();

  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // guards what follows
  JobProgress job_;
  bool stopped_ = false;
  std::condition_variable stop_;
  std::thread thread_;
};

}  // namespace weakspot::cli

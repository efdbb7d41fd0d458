// SPDX-License-Identifier: MIT
// One line on a terminal that shows the progress of a job with a known amount of device time; it also listens for
// Ctrl-C.
#pragma once

#include <chrono>
#include <string>

#include "campaign/runner.h"

namespace weakspot::cli {

class Ticker final : public campaign::RunObserver {
 public:
  // Draws nothing unless standard error is a terminal.
  Ticker(double budget, std::string what);
  ~Ticker() override { clear(); }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  void started(const campaign::RunRecord& so_far) override;
  void progress(const campaign::RunRecord& so_far) override;
  bool cancelled() override;
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  double budget_;
  std::string what_;
  bool active_;
  bool drawn_ = false;
  double before_ = 0;   // device seconds of the runs that have ended
  double current_ = 0;  // of the current run
  Clock::time_point last_;
};

}  // namespace weakspot::cli

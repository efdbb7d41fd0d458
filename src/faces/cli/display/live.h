// SPDX-License-Identifier: MIT
// Shows the progress of runs on a terminal: a bar with the time left and the outcomes so far, redrawn in place.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "campaign/summary.h"

namespace weakspot::cli {

class Live {
 public:
  // Draws nothing unless standard error is a terminal.
  Live();
  ~Live() { clear(); }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // Sets the number of runs to come.
  void expect(std::size_t runs) { runs_ = runs; }
  // `group`: the runs of one test on one device, the current one last; `ended`: how many runs have ended. Draws a few
  // times per second at most.
  void draw(const campaign::RunGroup& group, std::size_t ended);
  // Removes the drawing, before anything else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool active_;
  std::size_t runs_ = 1;
  std::optional<Clock::time_point> start_;  // of the first run, without what was prepared before it
  Clock::time_point last_;
  int lines_ = 0;
};

struct LiveSize {
  int width = 80;
  int height = 24;
};

// The drawing itself. `fraction`: the part of all runs that is done; `seconds`: since the first run began.
std::string live_text(const campaign::RunGroup& group, double fraction, double seconds, const LiveSize& size);

// "42 s", "1 min 30 s", "2 h 5 min".
std::string time_text(double seconds);

// The part of a run that is done, from 0 to 1.
double progress_of(const campaign::RunRecord& record);

}  // namespace weakspot::cli

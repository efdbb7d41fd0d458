// How runs are going, on a terminal: a bar with the time left and the outcomes so far, drawn over itself.
#pragma once

#include <chrono>
#include <string>

#include "campaign/summary.h"

namespace weakspot::cli {

class Live {
 public:
  // Draws nothing unless standard error is a terminal.
  explicit Live(std::size_t runs);
  ~Live() { clear(); }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  bool active() const { return active_; }
  // `group`: what was run before of the same test and device, the current run last. At most a few times per second.
  void draw(const campaign::RunGroup& group);
  // A run ended.
  void count_run() { ++done_; }
  // Takes the drawing away, before anything else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool active_;
  std::size_t runs_;
  std::size_t done_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
  int lines_ = 0;
};

// The drawing itself: the part done of `runs` runs, the seconds so far, and the group.
std::string live_text(const campaign::RunGroup& group, double fraction, double seconds, int width);

// How far a run has come, from 0 to 1.
double progress_of(const campaign::RunRecord& record);

}  // namespace weakspot::cli

// SPDX-License-Identifier: MIT
// Ctrl-C that ends a job in good order: the first one is noted, the second one kills the program as usual.
#pragma once

#include <atomic>

namespace weakspot::console {

// While one exists, SIGINT, SIGTERM and SIGHUP are noted instead of ending the program. One that the program was told
// to ignore (nohup) stays ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted() { return flag()->load(std::memory_order_relaxed); }
  // The same as a flag, for work that must look at it itself.
  static const std::atomic<bool>* flag();
  // The code that shells report for a program ended by the signal: 130 for SIGINT, also if there was no signal.
  static int exit_code();
};

}  // namespace weakspot::console

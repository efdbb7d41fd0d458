// SPDX-License-Identifier: MIT
// Ctrl-C that ends a run in good order: the first one is noted, the second one kills the program as usual.
#pragma once

namespace weakspot::cli {

// While one exists, SIGINT and SIGTERM are noted instead of ending the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
};

}  // namespace weakspot::cli

// Ctrl-C that ends a run in good order: the first one is noted, the second one kills as ever.
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

// What a shell reports for a program that SIGINT ended.
inline constexpr int kInterrupted = 130;

}  // namespace weakspot::cli

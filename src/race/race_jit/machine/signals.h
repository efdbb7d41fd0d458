// SPDX-License-Identifier: MIT
// While a CrashGuard lives, a crash of compiled code or the end of its time becomes an incident of the running launch,
// and the process goes on.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace weakspot::race_jit {

class CrashGuard {
 public:
  explicit CrashGuard(double seconds);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  char* stack_;
};

// While it lives, crashes of compiled code on this thread of the process are caught as well, and the end of the time
// stops it.
class WorkerGuard {
 public:
  WorkerGuard();
  ~WorkerGuard();
  WorkerGuard(const WorkerGuard&) = delete;
  WorkerGuard& operator=(const WorkerGuard&) = delete;

 private:
  char* stack_;
  std::size_t place_;
};
inline constexpr std::size_t kMostWorkers = 8;

// Lives while the runtime itself runs on behalf of a thread: it must not be left halfway.
class InRuntime {
 public:
  InRuntime();
  ~InRuntime();
};

// The message of a launch that ran out of time.
inline constexpr const char* kTimeIsOver = "the time for the run is over";
bool time_left();
// True if SIGTERM came: all time is over, and the findings until then are to be reported.
bool stop_requested();
// The time ends this many seconds from now.
void set_time_left(double seconds);

}  // namespace weakspot::race_jit

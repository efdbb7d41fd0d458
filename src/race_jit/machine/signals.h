// SPDX-License-Identifier: MIT
// While a CrashGuard lives, a crash of compiled code or the end of its time becomes an incident of the running launch,
// or ends the host program, and the process goes on.
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

// Lives while the runtime itself runs on behalf of a thread: it must not be left halfway.
class InRuntime {
 public:
  InRuntime();
  ~InRuntime();
};

// How host code ended.
struct HostEnd {
  int code = 0;         // returned, or given to exit()
  std::string problem;  // what stopped it; empty if nothing did
};

// Calls a function of the program. If something stops it, it is left on the spot, and nothing is cleaned up.
HostEnd run_host_code(const std::function<int()>& function);
// While a launch runs on behalf of host code, the host code is not left.
class InLaunch {
 public:
  InLaunch();
  ~InLaunch();
};
// What a launch says that ran out of time.
inline constexpr const char* kTimeIsOver = "the time for the run is over";
bool time_left();
// Whether SIGTERM came: all time is over, and what was found until then is to be reported.
bool stop_requested();
// The time ends this many seconds from now.
void set_time_left(double seconds);
// Ends the host code that called the runtime, if its time is over.
void leave_if_time_is_up();

}  // namespace weakspot::race_jit

// While a CrashGuard lives, a crash of compiled code or the end of its time becomes an incident of the running
// launch or the end of the program, and the process goes on.
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

// Set while the runtime itself runs on behalf of a thread: it must not be left halfway.
class InRuntime {
 public:
  InRuntime();
  ~InRuntime();
};

// How host code ended.
struct HostEnd {
  int code = 0;         // returned, or given to exit()
  std::string problem;  // what stopped it instead; empty if nothing did
};

// Calls a function of the program. Whatever stops it, it is left where it is: nothing of it is cleaned up.
HostEnd run_host_code(const std::function<int()>& function);
// While a launch runs on behalf of host code, the host code is not left.
class InLaunch {
 public:
  InLaunch();
  ~InLaunch();
};
bool time_left();
// The time ends so many seconds from now instead.
void set_time_left(double seconds);
// Ends the host code that called the runtime, if its time is over.
void leave_if_time_is_up();

}  // namespace weakspot::race_jit

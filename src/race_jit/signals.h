// While this lives, a crash of compiled code or the end of its time becomes an incident of the running
// launch, and the process goes on.
#pragma once

#include <cstddef>

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

}  // namespace weakspot::race_jit

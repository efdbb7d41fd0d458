// SPDX-License-Identifier: MIT
// A child process that exchanges lines with us for as long as it lives.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace weakspot::base {

// The end of a process.
struct Ending {
  int exit_code = 0;  // meaningful when signal == 0
  int signal = 0;

  // "died of SIGSEGV (segmentation fault)" or "ended with exit code 7"
  std::string text() const;
};

// Owns the process: the destructor kills it and waits for it. Its standard error is ours.
class Child {
 public:
  using Clock = std::chrono::steady_clock;

  // The child gets the environment that we were started with.
  static Result<Child> start(const std::vector<std::string>& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  // Writes the line and a newline; false if the child has closed its input.
  bool send(std::string_view line);

  enum class Received { line, timeout, ended };
  // The next line, without its newline. `ended`: the child has closed its output. Signals of ours do not end the wait;
  // `until` does.
  Received receive(std::string& line, Clock::time_point until);

  // Closes the child's input, gives it `patience` to end, then kills it, and waits.
  Ending end(std::chrono::milliseconds patience = std::chrono::milliseconds(1000));

 private:
  Child(pid_t process, UniqueFd input, UniqueFd output)
      : process_(process), input_(std::move(input)), output_(std::move(output)) {}

  pid_t process_ = -1;
  UniqueFd input_, output_;
  std::string pending_;  // read, but not yet a whole line
};

}  // namespace weakspot::base

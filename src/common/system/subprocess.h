// SPDX-License-Identifier: MIT
// Runs a child process with a deadline and gives what it printed and how it ended. Never hangs.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::base {

struct ProcessOptions {
  std::string input;                     // standard input, closed after it
  std::vector<std::string> environment;  // NAME=value, added to ours
  std::chrono::milliseconds deadline{60'000};
  std::size_t output_limit = 64u << 20;  // bytes kept of each stream; the rest is read and dropped
};

struct ProcessResult {
  int exit_code = 0;  // meaningful when signal == 0
  int signal = 0;     // the signal that ended it
  bool timed_out = false;
  std::string output;
  std::string errors;

  bool succeeded() const { return signal == 0 && exit_code == 0 && !timed_out; }
};

// The path of an executable file with this name in PATH, or else in one of the folders; empty if there is none.
std::string find_program(const std::string& name, const std::vector<std::string>& folders = {});

// Runs `command[0]`, looked up in PATH. Fails only if the child could not be started; every way it ends
// is a ProcessResult. On the deadline the child's whole process group is killed.
Result<ProcessResult> run_process(const std::vector<std::string>& command, const ProcessOptions& options = {});

}  // namespace weakspot::base

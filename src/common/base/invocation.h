// SPDX-License-Identifier: MIT
// Where a report comes from: the program, the time and the command that made it.
//
// A process has one command line, so this is one value of the process. The frame of programs (console/program.h) sets
// it before anything runs. It is empty in libraries, and in servers, whose pages no command makes.
#pragma once

#include <string>
#include <vector>

namespace weakspot::base {

struct Invocation {
  std::string program;  // "weakspot 0.1.0 (1a2b3c4)"
  std::string date;     // "2026-01-31T12:00:00Z", when it began
  std::string command;  // for a shell

  bool is_known() const { return !program.empty(); }
};

const Invocation& invocation();
void set_invocation(Invocation invocation);

// The words of a command for a shell, with *** in place of passwords in the addresses of stores.
std::string command_text(const std::vector<std::string>& words);

}  // namespace weakspot::base

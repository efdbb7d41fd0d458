// SPDX-License-Identifier: MIT
// Answers a request: compile, load, launch, collect.
#pragma once

#include <string>

#include "race/report.h"
#include "race/request.h"

namespace weakspot::race_jit {

struct Answer {
  // The program's exit code: 0 a report, 2 bad input, 3 a failure of this machine.
  int status = 0;
  std::string messages;  // for standard error
  race::Report report;
  int program_exit = 0;
  // The exit code if nothing was found; not 0 if main() did not come to its end.
  int status_if_clean = 0;
};

Answer answer(const race::Request& request);

}  // namespace weakspot::race_jit

// A request answered: compile, load, launch, collect.
#pragma once

#include <string>

#include "race/report.h"
#include "race/request.h"

namespace weakspot::race_jit {

struct Answer {
  // The program's exit code: 0 a report, 2 the input is bad, 3 this machine cannot.
  int status = 0;
  std::string messages;  // for standard error
  race::Report report;
  int program_exit = 0;
  // Instead of 0 where nothing was found: the program did not come to its end.
  int status_if_clean = 0;
};

Answer answer(const race::Request& request);

}  // namespace weakspot::race_jit

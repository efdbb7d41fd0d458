// SPDX-License-Identifier: MIT
// Answers a request: compile, load, launch, collect.
#pragma once

#include <optional>
#include <string>

#include "race/report.h"
#include "race/request.h"
#include "race_jit/answer/channel.h"
#include "residual/residual.h"

namespace weakspot::race_jit {

struct Answer {
  // The program's exit code: 0 a report, 2 bad input, 3 a failure of this machine.
  int status = 0;
  std::string messages;  // for standard error
  race::Report report;
  std::optional<residual::Residual> residual;  // instead of the report, where the request asks for it
};

// Files go to `folder`. What was found so far goes to the channel whenever there is more.
Answer answer(const race::Request& request, const std::string& folder, const Channel& channel);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// Has weakspot-race evaluate the threads of a launch: residual/residual.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/job_ending.h"
#include "base/result.h"
#include "race/request.h"
#include "residual/residual.h"

namespace weakspot::race_command {

struct ResidualRequest {
  race::Request request;               // `headers`, `residual` and the launch are filled in
  std::string launch;                  // as parse_launch() takes it; empty and no arguments: from the file
  std::vector<std::string> arguments;  // of the launch, as parse_argument() takes them
  std::string compile_commands;        // compile_commands.json or its folder; empty: none
  std::uint64_t memory = 0;            // bytes for the evaluation; 0: no limit
  std::function<bool()> interrupted;   // true if the user wants to stop; may be empty
};

// The limit at which the evaluation was given up, and where.
struct Unfinished {
  enum class Limit : std::uint8_t { time, memory, interrupt };
  Limit limit = Limit::time;
  bool compiling = false;
};

struct ResidualAnswer {
  std::string messages;                        // from weakspot-race and the compiler, rendered
  std::optional<residual::Residual> residual;  // none: `unfinished`, `messages` or `problems` say why
  std::optional<Unfinished> unfinished;
  base::Diagnostics problems;
  base::JobEnding ending = base::JobEnding::fine;
};

ResidualAnswer evaluate_threads(const ResidualRequest& asked);

}  // namespace weakspot::race_command

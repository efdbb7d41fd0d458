// SPDX-License-Identifier: MIT
// Runs weakspot-race and bounds it from outside: its time, its output and whatever it starts. What it found arrives on
// a channel of its own (race/channel.h), so that nothing that the checked program prints is taken for a report.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/report.h"

namespace weakspot::race_command {

// The limit that the process came to.
enum class RaceLimit : std::uint8_t { none, time, memory, interrupt };

struct RaceProcessOptions {
  std::chrono::milliseconds to_compile{0};           // until it says that it runs
  std::chrono::milliseconds to_run{0};               // from then on
  std::chrono::milliseconds in_all{0};               // for both together; 0: no limit
  std::uint64_t memory = 0;                          // bytes that it may take after it says that it runs; 0: no limit
  bool all_or_nothing = false;                       // it has no report of a part: at a limit it is killed at once
  std::vector<std::string> environment;              // all of its variables, NAME=value
  std::function<bool()> interrupted;                 // asked after every signal; may be empty
  std::function<void(const std::string&)> progress;  // told what is being done, in a line; may be empty
};

struct RaceProcess {
  std::string output, messages;        // standard output and error, each cut at a limit
  std::optional<race::Report> report;  // the last one that arrived
  std::vector<std::string> values;     // arrays as they arrived, see race/channel.h
  std::vector<std::string> files;      // of a capture, likewise
  std::string residual;                // see residual/residual.h, as JSON; empty: none arrived
  bool finished = false;               // `report` is the final one
  bool running = false;                // everything was compiled
  RaceLimit limit = RaceLimit::none;
  std::string problem;  // why the end is not an orderly one
  int exit_code = 0;    // meaningful without a problem
};

// `folder` is for its files. Fails only if it cannot be started.
base::Result<RaceProcess> run_race_process(const std::string& program, const std::string& folder,
                                           const std::string& request, const RaceProcessOptions& options);

}  // namespace weakspot::race_command

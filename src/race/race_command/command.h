// SPDX-License-Identifier: MIT
// The command that finds races: its options, and the way from them to a report and an exit code. It is 'weakspot race',
// and all that weakspot-race does for people. Either way the work is done in a process of its own, by weakspot-race.
#pragma once

#include <memory>

#include "console/command_line.h"
#include "race_command/keeper.h"

namespace weakspot::race_command {

inline constexpr const char* kSummary = "Run CUDA kernels on the CPU and find their synchronisation bugs";

// Declares the options; when the command is chosen, it leaves its exit code.
void add_race_command(console::Command& command, int& exit_code, std::shared_ptr<ReportKeeper> keeper = nullptr);

}  // namespace weakspot::race_command

// SPDX-License-Identifier: MIT
// A run written as the command line that repeats it.
#pragma once

#include <cstdint>
#include <string>

#include "race/report.h"
#include "race/request.h"

namespace weakspot::race {

// "16", "16,4", what parse_extent() reads.
std::string extent_text(const Extent& extent);
// "grid=2 block=64 shared=1024", what parse_launch() reads; without kernel and arguments.
std::string launch_text(const LaunchShape& launch);
// "in=int[64] fill=random", what parse_argument() reads.
std::string argument_text(const ArgumentSpec& argument);

// One launch of one kernel under one schedule. Arguments that `launch` does not state are made up again.
std::string replay_command(const Request& request, const std::string& kernel, const LaunchSpec& launch,
                           const ScheduleChoice& schedule, std::uint64_t seed);
// main() as a whole.
std::string replay_program(const Request& request);

// Gives all findings the same one: that of the whole run.
void set_replays(Report& report, const std::string& command);

}  // namespace weakspot::race

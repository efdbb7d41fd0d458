// SPDX-License-Identifier: MIT
// Destinations of reports besides the files that options name: 'weakspot race' has stores and litmus tests,
// weakspot-race alone does not.
#pragma once

#include <string>

#include "base/result.h"
#include "console/command_line.h"
#include "race/report.h"

namespace weakspot::race_command {

class ReportKeeper {
 public:
  virtual ~ReportKeeper() = default;

  virtual void add_options(console::Command& command) = 0;
  // The option that needs races told as stories (race::Request::trace), if it is given; else null.
  virtual const char* tracing_option() const = 0;

  // Before anything runs: a job of hours should fail at once.
  virtual base::Status open() = 0;
  // The report of each file, whose findings it may add to.
  virtual base::Status add(race::Report& report, const std::string& file) = 0;
  // The report of all files.
  virtual base::Status finish(const race::Report& report) = 0;
};

}  // namespace weakspot::race_command

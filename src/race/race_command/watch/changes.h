// SPDX-License-Identifier: MIT
// The difference between one check of the same files and the next. Findings are told apart as baselines do it, so that
// one that only moved to another line is not new.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "race/report.h"

namespace weakspot::race_command {

struct Changes {
  std::vector<race::Finding> fresh;
  std::vector<std::string> gone;  // "E1 sum.cu:7: write and read of ..."
  std::size_t kept = 0;           // findings that were there before
};

class LastCheck {
 public:
  // Compares the report with that of the last call, or with none, and keeps it. Fingerprints have the text of lines:
  // call this before the files change again.
  Changes next(const race::Report& report, const race::LineReader& line_of);

 private:
  std::string known_;  // a baseline
};

}  // namespace weakspot::race_command

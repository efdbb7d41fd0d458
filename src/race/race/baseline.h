// SPDX-License-Identifier: MIT
// The findings that a project already has: a gate fails for new ones alone.
//
//   # fingerprint                    class  place and message, for people
//   0f3a...                          E1     src/reduce.cu:31: write and read of shared sums[0] are not ordered
//
// A finding is known by its fingerprint, which edits elsewhere in the file do not change. A fingerprint that stands
// there twice is for two findings. A finding that stands for others has a line for each of them: a further pair of
// lines is new, even if the same change repairs it.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "race/report.h"

namespace weakspot::race {

struct Baseline {
  std::map<std::string, std::size_t> known;  // number of findings by fingerprint
};

// Reports all mistakes of the file at once.
base::Result<Baseline> read_baseline(const base::Source& source);
// The file that knows every finding of the report.
std::string baseline_text(const Report& report, const LineReader& line_of);

// Moves known findings to report.suppressed. Returns how many known ones were not found.
std::size_t leave_out_known(Report& report, const Baseline& baseline, const LineReader& line_of);

}  // namespace weakspot::race

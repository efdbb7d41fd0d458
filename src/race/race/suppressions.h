// SPDX-License-Identifier: MIT
// A file of findings that are known and accepted, one to a line:
//
//   # the histogram is approximate on purpose
//   E1 src/histogram.cu:count_words
//   W1 *.cu:118
//   *  third_party/*
//
// A line has a class or *, then a pattern for the file (* and ? as in a shell; a pattern without a slash matches the
// last part of the path), optionally with a line or a function. A finding with two places is suppressed if either
// matches. A finding that stands for others loses those that match.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/report.h"

namespace weakspot::race {

struct Suppression {
  std::optional<ClassId> finding_class;  // none: all
  std::string file;
  unsigned line = 0;         // 0: any
  std::string function;      // empty: any
  unsigned source_line = 0;  // in the file of suppressions
  std::string text;          // as written
};

// Reports all errors of the file at once.
base::Result<std::vector<Suppression>> read_suppressions(const base::Source& source);

// Moves suppressed findings to report.suppressed; returns the suppressions that matched nothing.
std::vector<Suppression> suppress(Report& report, const std::vector<Suppression>& suppressions);

}  // namespace weakspot::race

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
//
// A project file states the same with a reason, and with globs from its own folder.
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
  std::string folder;        // `file` is a glob (base/glob.h) from this folder; empty: a pattern as above
  unsigned line = 0;         // 0: any
  std::string function;      // empty: any
  std::string reason;        // may be empty
  std::string source;        // the file that states it
  unsigned source_line = 0;  // in that file
  std::string text;          // as written
};

// Reports all errors of the file at once.
base::Result<std::vector<Suppression>> read_suppressions(const base::Source& source);

// Moves suppressed findings to report.suppressed, with the reason of the first suppression that matches; returns for
// each suppression whether it matched something.
std::vector<bool> suppress(Report& report, const std::vector<Suppression>& suppressions);

}  // namespace weakspot::race

// A file of findings that are known and accepted, one to a line:
//
//   # the histogram is approximate on purpose
//   E1 src/histogram.cu:count_words
//   W1 *.cu:118
//   *  third_party/*
//
// A class or *, and a pattern for the file (* and ? as in a shell; without a slash it is the last part of the path),
// then if wanted a line or a function. A finding of two places is suppressed if either fits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
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

// All mistakes of the file at once.
base::Result<std::vector<Suppression>> read_suppressions(const base::Source& source);

// Moves what is suppressed out of the findings; answers with the suppressions that fitted nothing.
std::vector<Suppression> suppress(Report& report, const std::vector<Suppression>& suppressions);

}  // namespace weakspot::race

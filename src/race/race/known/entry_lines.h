// SPDX-License-Identifier: MIT
// Files of one entry to a line, with comments that start with '#': suppressions and baselines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace weakspot::race {

struct EntryLine {
  std::string_view text;  // without blanks around it; points into the source
  base::Span span;
  unsigned number = 0;  // line number, from 1
};

// The lines that are neither empty nor comments. The source must outlive them.
std::vector<EntryLine> entry_lines(const base::Source& source);

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// The program of a test on one line, for comparisons.
#pragma once

#include <string>
#include <vector>

#include "litmus/test.h"
#include "litmus/text.h"

namespace weakspot::tests {

// "st x, 1; st y, 1 | ld r0, y; ld r1, x"
inline std::string program_of(const litmus::LitmusTest& test) {
  std::string text;
  for (const std::vector<std::string>& column : litmus::canonical_columns(test)) {
    if (!text.empty()) text += " | ";
    for (std::size_t i = 1; i < column.size(); ++i) text += (i > 1 ? "; " : "") + column[i];
  }
  return text;
}

}  // namespace weakspot::tests

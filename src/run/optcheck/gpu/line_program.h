// SPDX-License-Identifier: MIT
// Which line of a program's text each machine instruction comes from: the line number program of DWARF, section 6.2 of
// versions 2 to 5.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "optcheck/elf.h"

namespace weakspot::optcheck {

struct LineRow {
  std::uint64_t at = 0;  // byte of the code, from which on
  std::size_t line = 0;  // this line, from 1; 0: of no line
  std::uint64_t file = 1;
};

// Rows of consecutive code.
struct LineSequence {
  std::uint64_t relocated = 0;  // where its address stands in the section
  std::uint64_t end = 0;        // the byte after its code
  std::vector<LineRow> rows;
};

// Nothing if the section cannot be read.
std::optional<std::vector<LineSequence>> read_line_program(Bytes section);

}  // namespace weakspot::optcheck

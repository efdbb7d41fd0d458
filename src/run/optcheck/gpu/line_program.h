// SPDX-License-Identifier: MIT
// Maps machine instructions to the lines of a program's text: the line number program of DWARF, section 6.2 of versions
// 2 to 5.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "optcheck/gpu/elf.h"

namespace weakspot::optcheck {

struct LineRow {
  std::uint64_t at = 0;  // byte of the code, from which on
  std::size_t line = 0;  // this line, from 1; 0: of no line
};

// Rows of consecutive code.
struct LineSequence {
  std::uint64_t relocated = 0;  // position of its address in the section
  std::vector<LineRow> rows;
};

// Nothing if the section cannot be read.
std::optional<std::vector<LineSequence>> read_line_program(Bytes section);

}  // namespace weakspot::optcheck

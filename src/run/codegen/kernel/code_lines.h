// SPDX-License-Identifier: MIT
// Finds the lines of printed code that belong to an instruction of the test. Printers write a mark, a line of its own,
// for each Origin; the marks are taken out of the whole text, and its lines are counted then.
#pragma once

#include <string>
#include <vector>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// The mark with the end of its line.
std::string origin_mark(const Origin& origin);

// The text without marks; `lines` may be nullptr.
std::string without_marks(const std::string& marked, std::vector<CodeLine>* lines);

}  // namespace weakspot::codegen

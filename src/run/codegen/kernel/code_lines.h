// SPDX-License-Identifier: MIT
// Which lines of printed code are whose. Printers write a line that is a mark for each Origin; the marks are taken out
// of the whole text, whose lines are counted then.
#pragma once

#include <string>
#include <vector>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// With the end of its line.
std::string origin_mark(const Origin& origin);

// The text without marks; `lines` may be nullptr.
std::string without_marks(const std::string& marked, std::vector<CodeLine>* lines);

}  // namespace weakspot::codegen

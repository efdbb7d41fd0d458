// SPDX-License-Identifier: MIT
// The colours of results and messages on a terminal. Text is made without them and painted when it is printed.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace weakspot::console {

// Colours the verdict word at the beginning of a line, the class and the bar at the end of an outcome's line, the words
// "error:", "warning:" and "hint:", and carets. The text is printable and otherwise stays as it is.
std::string painted(std::string_view text);

base::DiagnosticStyle coloured_diagnostics();

}  // namespace weakspot::console

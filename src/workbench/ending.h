// SPDX-License-Identifier: MIT
// How a job ended, in one word: what a program turns into its exit code and a page into a colour.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "desk/stop.h"

namespace weakspot::workbench {

enum class Ending : std::uint8_t {
  fine,
  finding,    // a violation, a suite that got weaker
  bad_input,  // nothing could be done with what was asked for
  failed,     // a device, or the machine around the program
  cancelled,  // by the user; what was done until then is in the result
};

using desk::is_stopped;
// The error of a job that ended so before it had any result.
base::Diagnostic interrupted();

Ending ending_of(base::ErrorKind kind);
// The ending that these errors mean; fine if there are none.
Ending ending_of(const base::Diagnostics& errors);
// Problems found beside a job's own result, which then did not end fine.
void add_problems(const base::Diagnostics& more, base::Diagnostics& problems, Ending& ending);

}  // namespace weakspot::workbench

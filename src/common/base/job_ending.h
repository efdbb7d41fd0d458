// SPDX-License-Identifier: MIT
// The ending of a job, in one word: a program turns it into its exit code, a page into a colour.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"

namespace weakspot::base {

enum class JobEnding : std::uint8_t {
  fine,
  finding,    // a violation, a suite that got weaker
  bad_input,  // nothing could be done with what was asked for
  failed,     // a device, or the machine around the program
  cancelled,  // by the user; what was done until then is in the result
};

JobEnding ending_of(ErrorKind kind);
// The ending that these errors mean; fine if there are none.
JobEnding ending_of(const Diagnostics& errors);

}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
// The one door through which the program's messages and reasons pass on their way to a reader. A test may reword all of
// them there: what the program does must not depend on its own sentences.
#pragma once

#include <string>

namespace weakspot::base {

// The text as people get it.
std::string worded(std::string text);

// From now on, for the whole process; null: as written. No other thread may run.
void reword_for_tests(std::string (*reword)(std::string text));

}  // namespace weakspot::base

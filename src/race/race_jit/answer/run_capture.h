// SPDX-License-Identifier: MIT
// Checks the launches of a capture (capture/capture.h): as those of a program, one after the other.
#pragma once

#include "race/request.h"
#include "race_jit/answer/channel.h"
#include "race_jit/answer/runner.h"

namespace weakspot::race_jit {

// The answer to a request whose file is a capture.
Answer answer_capture(const race::Request& request, const Channel& channel);

}  // namespace weakspot::race_jit

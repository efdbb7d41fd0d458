// SPDX-License-Identifier: MIT
// Runs a whole program in a sandbox: a binary, a script of Python, whatever calls CUDA. It finds our libraries in the
// place of NVIDIA's. Each of its processes that uses them gets a checker beside it, as a program that weakspot-nvcc
// built does (host/built_program.h), but outside of the sandbox: a process asks for it through a socket that it
// inherits.
#pragma once

#include <string>

#include "race/request.h"
#include "race_jit/answer/channel.h"
#include "race_jit/answer/runner.h"

namespace weakspot::race_jit {

// The answer to a request with a command. Reports of the checkers go to a folder in `folder`.
Answer answer_command(const race::Request& request, const std::string& folder, const Channel& channel);

}  // namespace weakspot::race_jit

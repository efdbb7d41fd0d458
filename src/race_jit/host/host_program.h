// SPDX-License-Identifier: MIT
// Runs main() of a compiled CUDA program in this process, against the stand-in runtime.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit {

struct ProgramEnd {
  int exit_code = 0;
  std::string problem;  // how it ended if not by returning or exit(): "main() divided by zero"
};

// `library` is the program as a shared object. Fails if it cannot be loaded. A CrashGuard must live.
base::Result<ProgramEnd> run_program(const std::string& library, const std::string& name,
                                     const std::vector<std::string>& arguments, HostDevice& device);

// Whether the text of a source defines main().
bool defines_main(std::string_view source);

}  // namespace weakspot::race_jit

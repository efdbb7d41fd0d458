// SPDX-License-Identifier: MIT
// Runs main() of a compiled CUDA program against the stand-in runtime, in a sandboxed process of its own.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "race_jit/guard/sandbox.h"
#include "race_jit/host/device_service.h"

namespace weakspot::race_jit {

struct ProgramEnd {
  int exit_code = 0;
  std::string problem;             // how it ended if not by itself: "main() divided by zero"
  std::vector<std::string> notes;  // layers of the sandbox that this system does not have
};

struct Program {
  std::string library;  // the program as a shared object
  std::string name;
  std::vector<std::string> arguments;
};

// Fails if it cannot be loaded. A CrashGuard must live; its time is that of the program. The memory of the device must
// be shared.
base::Result<ProgramEnd> run_program(const Program& program, const SandboxOptions& sandbox, DeviceService& device,
                                     Arena& memory, const DeviceModule& module);

// Whether the text of a source defines main().
bool defines_main(std::string_view source);

}  // namespace weakspot::race_jit

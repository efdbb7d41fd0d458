// SPDX-License-Identifier: MIT
// The machine code that a device made of a program, for those who want to check it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weakspot::backend {

enum class CodeForm : std::uint8_t {
  none,     // the reason says why
  aarch64,  // `functions`
  x86_64,   // `functions`
  cubin,    // `image`: an ELF file for NVIDIA's GPUs, with the lines of `source` that its instructions come from
};

struct MachineCode {
  CodeForm form = CodeForm::none;
  std::string reason;
  std::vector<std::vector<std::uint8_t>> functions;  // a CPU's, by role
  std::vector<std::uint8_t> image;
  std::string source;
};

}  // namespace weakspot::backend

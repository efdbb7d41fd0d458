// SPDX-License-Identifier: MIT
// The machine code that a device made of a program, for those who want to check it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weakspot::backend {

enum class CodeForm : std::uint8_t {
  none,     // `reason` says why
  aarch64,  // `functions`
  x86_64,   // `functions`
  cubin,    // `image`: an ELF file for NVIDIA's GPUs with one kernel, made of `source`
};

struct MachineCode {
  CodeForm form = CodeForm::none;
  std::string reason = "the device does not offer its machine code";
  std::vector<std::vector<std::uint8_t>> functions;  // a CPU's, by role
  std::vector<std::uint8_t> image;
  std::string source;  // PTX
  std::string entry;   // the kernel's name
  unsigned arch = 0;   // of a cubin: 90 for sm_90
};

}  // namespace weakspot::backend

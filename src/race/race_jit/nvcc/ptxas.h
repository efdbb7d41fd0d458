// SPDX-License-Identifier: MIT
// Takes the place of ptxas, NVIDIA's assembler, for compilers that start it, as Triton does: its output has the form of
// machine code and holds the PTX, which is what can be checked.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race_jit {

// The words behind the program's name. Returns its exit code.
int run_ptxas(const std::vector<std::string>& words);

}  // namespace weakspot::race_jit

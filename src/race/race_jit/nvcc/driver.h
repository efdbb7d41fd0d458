// SPDX-License-Identifier: MIT
// weakspot-nvcc: compiles and links as nvcc does, for programs whose kernels are checked on the CPU.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race_jit {

// `words`: the command line without the name of the program. The exit code.
// As nvcc, or as hipcc.
int run_nvcc(const std::vector<std::string>& words, bool hip = false);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// weakspot-nvcc: a compiler for CUDA programs whose kernels are checked on the CPU when they run; docs/nvcc.md. Under
// the name ptxas it takes the place of that program.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "race_jit/nvcc/driver.h"
#include "race_jit/nvcc/ptxas.h"

int main(int argc, char** argv) {
  using namespace weakspot::race_jit;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::string_view name = argc > 0 ? argv[0] : "";
  const int status = name.substr(name.rfind('/') + 1) == "ptxas" ? run_ptxas(words) : run_nvcc(words);
  std::fflush(nullptr);
  return status;
}

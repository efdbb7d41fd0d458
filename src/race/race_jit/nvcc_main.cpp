// SPDX-License-Identifier: MIT
// weakspot-nvcc: a compiler for CUDA programs whose kernels are checked on the CPU when they run; docs/nvcc.md.
#include <cstdio>
#include <string>
#include <vector>

#include "race_jit/nvcc/driver.h"

int main(int argc, char** argv) {
  const int status = weakspot::race_jit::run_nvcc(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  std::fflush(nullptr);
  return status;
}

// SPDX-License-Identifier: MIT
// weakspot-nvcc: a compiler for CUDA programs whose kernels are checked on the CPU when they run; docs/nvcc.md. Started
// as weakspot-hipcc or weakspot-hip-clang, a name that CMake accepts, it is one for HIP programs; docs/hip.md.
#include <cstdio>
#include <string>
#include <vector>

#include "race_jit/nvcc/driver.h"

int main(int argc, char** argv) {
  const std::string name = argc > 0 ? argv[0] : "";
  const std::string file = name.substr(name.rfind('/') + 1);
  const bool hip = file.find("hipcc") != std::string::npos || file.find("hip-clang") != std::string::npos;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const int status = weakspot::race_jit::run_nvcc(words, hip);
  std::fflush(nullptr);
  return status;
}

// SPDX-License-Identifier: MIT
// weakspot-nvcc: a compiler for CUDA programs whose kernels are checked on the CPU when they run; docs/nvcc.md. Started
// as weakspot-hipcc or weakspot-hip-clang, a name that CMake accepts, it is one for HIP programs; docs/hip.md. Under
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
  const std::string_view path = argc > 0 ? argv[0] : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool hip = name.find("hipcc") != std::string_view::npos || name.find("hip-clang") != std::string_view::npos;
  const int status = name == "ptxas" ? run_ptxas(words) : run_nvcc(words, hip);
  std::fflush(nullptr);
  return status;
}

// SPDX-License-Identifier: MIT
#include "race_jit/nvcc/python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace weakspot::race_jit {

int run_python(const NvccPlaces& places, const std::vector<std::string>& words) {
  const char* named = std::getenv("WEAKSPOT_PYTHON");
  std::vector<std::string> command = {named == nullptr || *named == '\0' ? "python3" : named,
                                      places.toolkit + "/include/pytorch"};
  command.insert(command.end(), words.begin(), words.end());
  setenv("CUDA_HOME", places.toolkit.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  fmt::print(stderr, "weakspot-nvcc: error: cannot start {}, which WEAKSPOT_PYTHON may name\n", command.front());
  return 3;
}

}  // namespace weakspot::race_jit

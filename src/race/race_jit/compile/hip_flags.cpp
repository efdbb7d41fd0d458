// SPDX-License-Identifier: MIT
#include "race_jit/compile/hip_flags.h"

#include "race/architecture.h"

namespace weakspot::race_jit {

std::vector<std::string> hip_flags(const race::Request& request) {
  return {"-x", "hip", "-nogpulib", "-nogpuinc", "-I" + request.headers};
}

std::vector<std::string> hip_gpu_flags(const race::Request& request) {
  const std::string gpu = request.gpu.empty() ? race::kDefaultGpu : request.gpu;
  std::vector<std::string> flags = {"--offload-arch=" + gpu};
  if (request.wave != 0 && request.wave != race::lanes_of(gpu)) {
    flags.push_back(request.wave == 64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64");
  }
  return flags;
}

}  // namespace weakspot::race_jit

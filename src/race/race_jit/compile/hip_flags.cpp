// SPDX-License-Identifier: MIT
#include "race_jit/compile/hip_flags.h"

#include "race/architecture.h"

namespace weakspot::race_jit {
namespace {

std::string gpu_of(const race::Request& request) { return request.gpu.empty() ? race::kDefaultGpu : request.gpu; }

}  // namespace

std::vector<std::string> hip_flags(const race::Request& request) {
  const std::string gpu = gpu_of(request);
  const unsigned wave = request.wave != 0 ? request.wave : race::lanes_of(gpu);
  return {"-x",
          "hip",
          "-nogpulib",
          "-nogpuinc",
          "-I" + request.headers,
          "-D__WS_GPU=\"" + gpu + "\"",
          "-D__WS_GPU_WAVE=" + std::to_string(wave)};
}

std::vector<std::string> hip_gpu_flags(const race::Request& request) {
  const std::string gpu = gpu_of(request);
  std::vector<std::string> flags = {"--offload-arch=" + gpu};
  if (request.wave != 0 && request.wave != race::lanes_of(gpu)) {
    flags.push_back(request.wave == 64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64");
  }
  return flags;
}

}  // namespace weakspot::race_jit

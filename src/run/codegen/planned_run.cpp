// SPDX-License-Identifier: MIT
#include "codegen/planned_run.h"

#include "base/rng.h"

namespace weakspot::codegen {

std::uint64_t launch_seed(std::uint64_t seed, std::uint64_t launch) {
  if (launch == 0) return seed;
  return base::Rng(seed + launch * 0x9e3779b97f4a7c15u).next();
}

}  // namespace weakspot::codegen

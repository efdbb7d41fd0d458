// SPDX-License-Identifier: MIT
#include "race_jit/host/launch_rules.h"

#include "race/entry.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kMaxGrid[3] = {0x7fffffff, 65535, 65535};
constexpr std::uint32_t kMaxBlock[3] = {race::kMaxBlockThreads, race::kMaxBlockThreads, 64};

}  // namespace

bool is_valid_launch(const race::LaunchShape& call) {
  for (unsigned i = 0; i < 3; ++i) {
    if (call.grid[i] == 0 || call.grid[i] > kMaxGrid[i] || call.block[i] == 0 || call.block[i] > kMaxBlock[i])
      return false;
  }
  return call.cluster.count() > 0 && call.block.count() <= race::kMaxBlockThreads;
}

}  // namespace weakspot::race_jit

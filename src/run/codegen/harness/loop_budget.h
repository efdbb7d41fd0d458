// SPDX-License-Identifier: MIT
// Divides a device's loop budget between iterations and waits. Some devices leave all loops of a thread after a fixed
// total number of rounds.
//
// iterations() comes first and reserves only a short wait for each. spins() then divides what the chosen number of
// iterations leaves, so that waits gain when something else allows fewer iterations.
#pragma once

#include <algorithm>
#include <cstdint>

namespace weakspot::codegen {

struct LoopBudget {
  std::uint64_t rounds = 0;         // the bound on all loops of a thread together; 0: no bound
  std::uint64_t per_iteration = 1;  // at most, without waiting
  std::uint64_t waits = 0;          // spins per iteration, each bounded

  static constexpr std::uint64_t kLeastSpins = 128;

  // The most iterations, up to `wanted`, that leave each wait kLeastSpins rounds, or all of `spin_bound`.
  std::uint64_t iterations(std::uint64_t wanted, std::uint64_t spin_bound) const {
    if (rounds == 0) return wanted;
    const std::uint64_t each = per_iteration + waits * (std::min(spin_bound, kLeastSpins) + 1);
    return std::clamp<std::uint64_t>(rounds / each, 1, wanted);
  }

  // The bound of each wait, up to `wanted`, with that many iterations.
  std::uint64_t spins(std::uint64_t iterations, std::uint64_t wanted) const {
    if (rounds == 0 || waits == 0) return wanted;
    const std::uint64_t each = rounds / iterations;
    const std::uint64_t left = each > per_iteration ? (each - per_iteration) / waits : 0;
    return std::clamp<std::uint64_t>(left, 1, wanted);
  }
};

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
// What wgmma.mma_async reads of shared memory: operands that descriptors describe, through the async proxy, until the
// group is waited for. The products themselves are not computed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "race/clock.h"
#include "race_jit/machine/hooks.h"

namespace weakspot::race_jit {

// A matrix in shared memory whose rows have 32 bytes in the direction that is summed over, by its descriptor: bits 0-13
// the start, 16-29 the distance of groups of 16 bytes in a row, 32-45 that of groups of eight rows, all in units of 16
// bytes, and 62-63 how the bytes are shuffled.
struct MatrixDescriptor {
  std::uint64_t bits = 0;

  // The offset of 16 bytes from the beginning of shared memory: the half of a row.
  std::uint32_t offset(std::uint32_t row, std::uint32_t half) const;
};

// The operations of a warp: its lanes execute them together, and each knows as much as all.
class MatrixReads {
 public:
  void clear() { warps_.clear(); }

  // Lanes bring what they know before they meet.
  void bring(std::uint32_t block, std::uint32_t warp, const race::ClockRef& known);
  race::ClockRef take(std::uint32_t block, std::uint32_t warp);
  void add(std::uint32_t block, std::uint32_t warp, const race::ClockRef& end);
  void commit(std::uint32_t block, std::uint32_t warp);
  // Called by one lane before they meet; what all of them learn then.
  void finish(std::uint32_t block, std::uint32_t warp, std::uint32_t left);
  race::ClockRef finished(std::uint32_t block, std::uint32_t warp) const;

 private:
  struct Warp {
    race::ClockRef brought, open, finished;
    std::deque<race::ClockRef> closed;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Warp> warps_;  // by block and number
};

std::vector<HookSymbol> matrix_hook_symbols();

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// The kernels of a lock, and the words that they share with their host.
#pragma once

#include <cstdint>

#include "codegen/kernel/kernel.h"
#include "codegen/lock_kind.h"

namespace weakspot::codegen {

// A buffer holds atomic or plain words, never both: WGSL types them.
enum LockBuffer : std::uint32_t {
  kLockControl,   // parameters
  kLockWords,     // the lock: atomic
  kLockData,      // the data that it protects: plain
  kLockProgress,  // counts of what contenders did in this run: atomic
  kLockCounts,    // over all runs: plain
  kLockBuffers,
};

enum LockControlWord : std::uint32_t {
  kLockRound,
  kLockStop,
  kLockSections,
  kLockContenders,
  kLockSpinBound,
  kLockControlWords,
};

enum LockProgressWord : std::uint32_t { kLockDone, kLockGaveUp, kLockStale, kLockProgressWords };

// 64-bit numbers take two words, the low one first.
enum LockCountWord : std::uint32_t {
  kLockRuns = 0,
  kLockUnfinished = 2,
  kLockFailed = 4,
  kLockLost = 6,
  kLockAllSections = 8,
  kLockCountWords = 10,
};

// Words of kLockWords. Words that different threads use lie in different cache lines.
inline constexpr std::uint32_t kLockLine = 32;
inline constexpr std::uint32_t kLockFirst = 0;              // the lock, next ticket, tail of a queue
inline constexpr std::uint32_t kLockSecond = kLockLine;     // ticket served, head of the deque
inline constexpr std::uint32_t kLockNodes = 2 * kLockLine;  // of the queue: two lines per contender; flags of the sum
inline constexpr std::uint32_t kDequeRing = 8;              // tasks at once

// The sizes of kLockWords and kLockData.
std::uint64_t lock_words(const LockPlan& plan);
std::uint64_t lock_data_words(const LockPlan& plan);

KernelModule lock_kernels(LockKind kind, LockFences fences);

}  // namespace weakspot::codegen

// SPDX-License-Identifier: MIT
// Copies that run beside the thread that started them (cp.async, memcpy_async) until it, or a barrier it names, waits.
//
// To the detector, each thread has a second thread, its copier, which makes the copies. The copier knows what the
// thread knew when it started a copy, and the thread knows those copies that it has waited for. Memory is copied at
// once, which is one of the possible orders; the detector finds out where others are possible.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "race/clock.h"
#include "race/thread_state.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

// Copiers are in blocks of their own, by this mark in the number, so that no barrier of a block orders them.
inline constexpr std::uint32_t kCopyingBlock = race::kAgentBlock;
inline bool is_copying(race::ThreadName thread) { return (thread.block & kCopyingBlock) != 0; }

class AsyncCopies {
 public:
  // For the start of a launch.
  void clear() { blocks_.clear(); }

  // The copier of the thread, which learns all that the thread knows.
  race::ThreadState& copier_of(race::ThreadState& thread);
  // Closes the group of copies since the last one was closed.
  void commit(race::ThreadState& thread);
  // Waits for all groups but the latest `left`, or for all copies, whether their groups are closed or not.
  void wait(race::ThreadState& thread, std::uint32_t left);
  void wait_for_all(race::ThreadState& thread);
  // The knowledge that a barrier gains if it waits for the copies of the thread so far.
  race::ClockRef copied(race::ThreadState& thread);

 private:
  struct Groups {
    std::deque<race::ClockRef> closed;  // null: a group without copies
    bool open = false;                  // copies since
  };
  struct Block {
    race::BlockState copiers;
    std::vector<Groups> groups;  // by thread
  };

  Block* find(const race::ThreadState& thread);
  Block& block_of(const race::ThreadState& thread);

  std::map<std::uint32_t, Block> blocks_;  // by number
};

// Functions that compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> async_hook_symbols();

}  // namespace weakspot::race_jit

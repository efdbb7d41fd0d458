// Copies that go on beside the thread that asked for them (cp.async, memcpy_async) until it, or a barrier it names,
// waits.
//
// To the detector each thread has a second one that makes its copies: it knows what the thread knew when it asked, and
// the thread knows of it what it has waited for. The memory is copied when it is asked for, which is one of the orders
// that are possible; that others are, too, is what the detector finds.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "race/clock.h"
#include "race/thread_state.h"
#include "race_jit/machine/hooks.h"

namespace weakspot::race_jit {

// Second threads are in blocks of their own, by this mark in the number, so that no barrier of a block orders them.
inline constexpr std::uint32_t kCopyingBlock = 0x80000000u;
inline bool is_copying(race::ThreadName thread) { return (thread.block & kCopyingBlock) != 0; }

class AsyncCopies {
 public:
  // The end of all blocks: nothing of a launch is left in the next.
  void clear() { blocks_.clear(); }

  // The one that copies for the thread, from now on, with all that the thread knows.
  race::ThreadState& copier_of(race::ThreadState& thread);
  // Closes the group of copies since the last one was closed.
  void commit(race::ThreadState& thread);
  // Waits for all groups but the latest `left`; for all copies, closed groups or not.
  void wait(race::ThreadState& thread, std::uint32_t left);
  void wait_for_all(race::ThreadState& thread);
  // What a barrier learns that waits for the copies of the thread so far.
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

// What compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> async_hook_symbols();

}  // namespace weakspot::race_jit

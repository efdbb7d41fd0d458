// SPDX-License-Identifier: MIT
// Tensor memory of the running blocks (race_jit/tensor), and what their threads know of the operations on it.
//
// Synchronisation of the memory model's own kind is known by the clocks of the detector. The fences of tcgen05 add
// this: all that a thread knew at ::before_thread_sync is known to a thread that executes ::after_thread_sync, if
// anything makes it wait for a later step of the first, also what orders no other memory: an mbarrier or a flag that is
// relaxed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "race/clock.h"
#include "race/thread_state.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/machine/block_run.h"
#include "race_jit/tensor/tensor_memory.h"

namespace weakspot::race_jit {

inline constexpr unsigned kTensorRegisters = 128;  // of a lane, at most
using TensorRegisters = std::array<std::uint32_t, kTensorRegisters>;

class TensorBlocks {
 public:
  // The lanes of a warp act together.
  struct Warp {
    std::array<std::uint32_t, race::kWarp> addresses{};  // that each lane names
    std::array<TensorRegisters, race::kWarp> given{}, loaded{};
    std::vector<TensorOperationRef> loads, stores;  // not waited for
  };
  struct Fence {
    race::Interval at = 0;
    race::ClockRef before;
  };
  struct Thread {
    std::deque<Fence> fences;                     // ::before_thread_sync; a later one has all of an earlier one
    race::ClockRef released;                      // by the last of them
    race::ClockRef fenced, seen, heard;           // see TensorKnowledge
    std::vector<TensorOperationRef> uncommitted;  // products and copies
    race::ThreadName agent;                       // theirs, and its number
    std::uint32_t queue = 0;
    bool has_queue = false;
  };

  // For the start of a launch.
  void clear();
  // Whether any thread has used tensor memory.
  bool any() const { return !blocks_.empty(); }
  // All threads of the block have ended: columns that were not given back are noted.
  void end_block(const BlockRun& block);
  void forget(std::uint32_t block) { blocks_.erase(block); }

  TensorMemory& memory(const race::ThreadState& thread) { return blocks_[thread.block->index].memory; }
  Warp& warp(const race::ThreadState& thread);
  Thread& thread(const race::ThreadState& thread) { return blocks_[thread.block->index].threads[thread.thread]; }
  // The number of the agent that the thread's products and copies have.
  std::uint32_t queue_of(const race::ThreadState& thread);

  TensorKnowledge knowledge(race::ThreadState& thread);
  // All lanes of the thread's warp together, of which it is the first.
  TensorKnowledge knowledge_of_warp(race::ThreadState& thread);
  void fence_before(race::ThreadState& thread);
  void fence_after(race::ThreadState& thread);

  // For synchronisation that may be relaxed: what an arrival or a store passes on, and what a wait or a read takes.
  race::ClockRef released(const race::ThreadState& thread) const;
  void hear(const race::ThreadState& thread, const race::ClockRef& released);
  // The same for a strong access to a flag in memory.
  void use_flag(const race::ThreadState& thread, std::uint64_t address, bool reads, bool writes);

  // Registers of the running lane, until it meets the others.
  TensorRegisters registers{};

 private:
  static constexpr std::size_t kFencesKept = 16;  // per thread

  struct Block {
    TensorMemory memory;
    std::map<std::uint32_t, Thread> threads;               // by number
    std::map<std::uint32_t, std::unique_ptr<Warp>> warps;  // by number
    race::ClockRef fenced;                                 // by fences that all threads know of
    std::uint32_t queues = 0;
  };

  static race::ClockRef fences_known(Block& block, const race::ThreadState& thread, const race::Clock& known);

  std::map<std::uint32_t, Block> blocks_;          // by number
  std::map<std::uint64_t, race::ClockRef> flags_;  // by address
};

// Functions that compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> tensor_hook_symbols();

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// A gate is a barrier at which arriving and waiting are separate steps: a numbered barrier of a block (bar.sync 1, 64),
// an object of cuda::barrier, or an mbarrier. It opens when the expected number of threads have arrived and no bytes of
// asynchronous copies are to come, which ends a phase. The next phase of an object expects as many threads again; that
// of a numbered barrier expects as many as its first arrival says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "race/clock.h"
#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

// Whom an arrival tells what its thread did before, and from whom a wait learns it.
enum class GateReach : std::uint8_t {
  nobody,   // relaxed
  block,    // threads of the block that has the gate
  cluster,  // threads of all blocks that use it
};

class Gates {
 public:
  // A numbered barrier is {block + 1, number}, an object {0, address}.
  using Name = std::pair<std::uint64_t, std::uint64_t>;
  struct Arrival {
    std::uint32_t count = 1;  // number of threads
    bool drop = false;        // later phases expect fewer
    GateReach reach = GateReach::cluster;
    std::uint32_t site = 0;
    bool holds = false;      // the predicate of bar.red
    bool of_engine = false;  // it tells nothing of what the thread did
  };

  void clear() { gates_.clear(); }
  // Forgets the objects in this memory, which a new block has.
  void clear(const char* memory, std::uint64_t size);
  void start(Name name, std::uint32_t expected);
  // The number of threads that a phase expects, which its first arrival says.
  void expect(Name name, std::uint32_t expected);
  bool exists(Name name) const { return gates_.contains(name); }
  // The current thread arrives. Returns the phase to wait for. The last arrival releases the threads that wait.
  std::uint64_t arrive(Name name, const Arrival& arrival);
  bool is_over(Name name, std::uint64_t phase) const;
  // What the last phase that ended answers to the current thread, whose barrier_kind says what it asks.
  int reduced(Name name) const;
  // The current thread learns what those that opened the gate knew when they arrived.
  void pass(Name name, GateReach reach = GateReach::cluster);
  // Whether a block other than the gate's own helped to open it.
  bool was_opened_from_elsewhere(Name name) const;
  // Teaches `clock` to threads that pass in this phase. It comes from the gate's own block, or from another one.
  void tell(Name name, const race::ClockRef& clock, bool from_elsewhere = false);
  // The same by fences of tensor memory, for threads whose wait may be relaxed.
  void tell_of_tensor(Name name, const race::ClockRef& clock);
  // Expects so many bytes before this phase ends; negative: they have come.
  void expect_bytes(Name name, std::int64_t bytes);
  void add_waiting(Name name, ThreadContext* thread);
  std::uint64_t phase(Name name) const;
  // The first phase that no thread of the block that has the gate has seen the end of.
  std::uint64_t seen(Name name) const;

 private:
  // From threads of the block that has the gate, and from other blocks.
  using Clocks = std::array<race::ClockRef, 2>;
  struct Gate {
    std::uint32_t expected = 0, arrived = 0, dropped = 0;
    std::uint32_t holding = 0;                        // arrivals whose predicate holds
    std::pair<std::uint32_t, std::uint32_t> ended{};  // `holding` and `arrived` of the last phase
    std::int64_t bytes = 0;                           // to come
    std::uint64_t phase = 0, seen = 0;
    Clocks gathered;                                // from arrivals of this phase
    Clocks opened;                                  // from those of all phases before
    race::ClockRef tensor_gathered, tensor_opened;  // the same of fences of tensor memory
    std::vector<ThreadContext*> waiting;
  };

  static void open_if_complete(Gate& gate);
  static int reduced(const Gate& gate, int kind);

  std::map<Name, Gate> gates_;
};

// The gate of an object.
inline Gates::Name gate_at(const void* address) { return {0, reinterpret_cast<std::uint64_t>(address)}; }
// Notes a failure and returns false for an object that was not initialised.
bool check_gate(const void* address, std::uint32_t site);
// Whether the memory is that of the current thread's block.
bool is_in_own_block(const void* address);

// Functions that compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> gate_hook_symbols();

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// A gate is a barrier at which arriving and waiting are separate steps: a numbered barrier of a block (bar.sync 1, 64)
// or an object of cuda::barrier. It opens when the expected number of threads have arrived, which ends a phase; the
// next phase expects as many again.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "race/clock.h"
#include "race_jit/machine/context.h"
#include "race_jit/machine/hooks.h"

namespace weakspot::race_jit {

class Gates {
 public:
  // A numbered barrier is {block + 1, number}, an object {0, address}.
  using Name = std::pair<std::uint64_t, std::uint64_t>;

  void clear() { gates_.clear(); }
  // Forgets the objects in this memory, which a new block has.
  void clear(const char* memory, std::uint64_t size);
  void start(Name name, std::uint32_t expected);
  bool exists(Name name) const { return gates_.contains(name); }
  // The current thread arrives, for `count` threads. Returns the phase to wait for. The last arrival releases the
  // threads that wait. With `drop`, later phases expect fewer.
  std::uint64_t arrive(Name name, std::uint32_t count, bool drop);
  bool is_over(Name name, std::uint64_t phase) const;
  // The current thread learns what the threads that opened the gate knew when they arrived.
  void pass(Name name);
  // Threads that pass in this phase learn `clock`.
  void tell(Name name, const race::ClockRef& clock);
  void add_waiting(Name name, ThreadContext* thread);
  std::uint64_t phase(Name name) const;

 private:
  struct Gate {
    std::uint32_t expected = 0, arrived = 0, dropped = 0;
    std::uint64_t phase = 0;
    race::ClockRef gathered;  // from arrivals of this phase
    race::ClockRef opened;    // from those of the last phase
    std::vector<ThreadContext*> waiting;
  };

  std::map<Name, Gate> gates_;
};

// What compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> gate_hook_symbols();

}  // namespace weakspot::race_jit

// Barriers at which arriving and waiting are two things: the numbered barriers of a block (bar.sync 1, 64) and objects
// of cuda::barrier. A gate opens when as many have arrived as it expects, and then expects the same again.
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
  void start(Name name, std::uint32_t expected);
  bool exists(Name name) const { return gates_.contains(name); }
  // The arrival of the current thread, for `count` threads; gives the phase to wait for. Lets the waiting go when
  // it is the last.
  std::uint64_t arrive(Name name, std::uint32_t count, bool drop);
  bool is_over(Name name, std::uint64_t phase) const;
  // To the current thread, what had happened before those arrived that opened the gate.
  void pass(Name name);
  // Those who pass in this phase know it.
  void tell(Name name, const race::ClockRef& clock);
  void add_waiting(Name name, ThreadContext* thread);
  std::uint64_t phase(Name name) const;

 private:
  struct Gate {
    std::uint32_t expected = 0, arrived = 0, dropped = 0;
    std::uint64_t phase = 0;
    race::ClockRef gathered;  // of those that arrived in this phase
    race::ClockRef opened;    // of all earlier ones
    std::vector<ThreadContext*> waiting;
  };

  std::map<Name, Gate> gates_;
};

// What compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> gate_hook_symbols();

}  // namespace weakspot::race_jit

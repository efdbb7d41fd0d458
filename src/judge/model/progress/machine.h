// SPDX-License-Identifier: MIT
// A test as a machine that runs one thread's step after the other: each access happens at once and for all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/execution/spin.h"

namespace weakspot::model {

struct MachineState {
  struct ThreadState {
    std::size_t next = 0;  // instruction
    bool started = false;
    std::vector<litmus::Value> registers;  // zero for registers that will not be read again
    friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
  };
  std::vector<litmus::Value> memory;  // by physical location
  std::vector<ThreadState> threads;
  friend auto operator<=>(const MachineState&, const MachineState&) = default;
};

class Machine {
 public:
  // The test must outlive the machine.
  explicit Machine(const litmus::LitmusTest& test);

  // Why it cannot run the test; empty if it can.
  const std::string& refusal() const { return refusal_; }
  // Whether the machine has all runs: false if a read-modify-write may fail for no reason, which never happens here.
  bool is_exact() const { return exact_; }

  std::size_t threads() const { return test_.threads.size(); }
  MachineState start() const;
  // The state after the thread's next access or branch back, with the computations around it; none if it has finished.
  std::optional<MachineState> step(const MachineState& state, std::size_t thread) const;

  bool has_finished(const MachineState& state, std::size_t thread) const;
  bool has_started(const MachineState& state, std::size_t thread) const { return state.threads[thread].started; }
  std::size_t next_instruction(const MachineState& state, std::size_t thread) const {
    return state.threads[thread].next;
  }

  // The read of the thread's next step, if it reads.
  struct ReadValue {
    std::size_t instruction;
    litmus::LocationId location;
    litmus::Value value;
  };
  std::optional<ReadValue> read_by(const MachineState& state, std::size_t thread) const;
  // The location that the thread's next step stores to without reading, if it does.
  std::optional<litmus::LocationId> store_by(const MachineState& state, std::size_t thread) const;

 private:
  struct Run;

  bool goes_on(Run& run) const;
  bool access(Run& run, const litmus::Instruction& instruction) const;
  void forget_dead(MachineState& state, std::size_t thread) const;

  const litmus::LitmusTest& test_;
  SharedAccesses shared_;
  std::vector<Spins> spins_;                       // by thread
  std::vector<std::vector<std::size_t>> targets_;  // by thread and instruction
  std::string refusal_;
  bool exact_ = true;
};

}  // namespace weakspot::model

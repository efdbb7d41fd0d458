// SPDX-License-Identifier: MIT
// Rounds of loops that only wait. A round that leaves nothing behind need not be followed: the thread might as well
// have been lucky the first time.
//
// A round leaves nothing behind if
// - it reads, fences, and writes nothing that another thread can see, except read-modify-writes that write back the
//   value they read (a lock that is taken stays taken);
// - every register that is read after it has the value it had before it, and depends on no less;
// - memory that only this thread uses has the value it had before.
// The last two may depend on what was read: then the round is left out under conditions.
//
// docs/decisions/0010-spins.md says why the same outcomes remain.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "litmus/test.h"
#include "model/execution/path.h"

namespace weakspot::model {

// An expression and the reads it depends on syntactically, which may be more than those its value depends on.
struct Tracked {
  ExprId expression = 0;
  Reads reads;
  Reads picks;  // reads that it was picked by
};

// The state of a thread at the head of a loop.
struct Visit {
  std::size_t events = 0;
  std::uint32_t choices = 0;
  std::vector<Tracked> registers;
  std::optional<std::uint32_t> reservation;
};

// The accesses of a test that other threads may see or race with. The test must outlive it; it is looked at when first
// asked about.
class SharedAccesses {
 public:
  explicit SharedAccesses(const litmus::LitmusTest& test) : test_(test) {}

  // Whether no other thread can reach the location.
  bool is_private(litmus::ThreadId thread, litmus::LocationId location) const;
  // Whether an access of the location may be part of a data race: some access is plain or has a narrow scope.
  bool may_race(std::optional<litmus::LocationId> location) const;

 private:
  void look() const;

  const litmus::LitmusTest& test_;
  mutable std::vector<std::vector<bool>> named_;  // by thread and physical location; empty: not looked at yet
  mutable std::vector<bool> address_known_;       // by physical location: it is a value somewhere
  mutable std::vector<bool> computed_;            // by thread: some address is in a register only
  mutable std::vector<bool> racy_;                // by physical location
  mutable bool any_computed_plain_ = false;
};

// The loops of one thread.
class Spins {
 public:
  Spins(const litmus::LitmusTest& test, litmus::ThreadId thread, const SharedAccesses& shared);

  // Whether some backward branch leads to this label.
  bool is_head(std::size_t instruction) const { return heads_[instruction]; }
  // Whether the register may be read from this instruction on. Always true in a thread without loops.
  bool is_live(std::size_t instruction, std::size_t reg) const { return live_.empty() || live_[instruction][reg]; }

  // Returns the conditions (expressions that must not be zero) under which the round since the visit leaves nothing
  // behind; none if it always leaves something. `registers` and the reservation are those at the end of the round.
  std::optional<std::vector<ExprId>> conditions(Path& path, const std::vector<Tracked>& registers,
                                                const std::optional<std::uint32_t>& reservation, std::size_t head,
                                                const Visit& visit, bool write_backs) const;
  // Whether an access of the round may be part of a data race.
  bool may_race(const Path& path, const Visit& visit) const;

 private:
  using Live = std::vector<bool>;  // by register; the last one is the reservation of a load-exclusive

  void find_heads();
  void find_live();
  Live live_before(std::size_t instruction, const Live& after) const;
  bool keeps_writes(Path& path, const Visit& visit, bool write_backs, std::vector<ExprId>& conditions) const;
  bool keeps_private(Path& path, const Visit& visit, litmus::LocationId location,
                     std::vector<ExprId>& conditions) const;
  bool keeps_registers(Path& path, const std::vector<Tracked>& registers, const Live& live, const Visit& visit,
                       std::vector<ExprId>& conditions) const;

  const litmus::LitmusTest& test_;
  const litmus::ThreadId id_;
  const litmus::Thread& thread_;
  const SharedAccesses& shared_;
  std::vector<bool> heads_;
  std::vector<std::optional<std::size_t>> targets_;  // by instruction: where a branch leads
  std::vector<Live> live_;                           // by instruction: what is read after control is there
};

}  // namespace weakspot::model

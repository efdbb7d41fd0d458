// SPDX-License-Identifier: MIT
// What all executions of a test have in common once each thread's path is chosen: the events, and the relations that do
// not depend on reads-from or coherence.
//
// A test whose threads have no branches has one frame. A test whose addresses depend on values read has one frame per
// assignment of addresses; one whose barriers wait for some of the threads, one per choice of who is late. The first
// events are the initial writes, one per cell: a physical location, which an alias shares with its target, or a part of
// one. The threads' events follow in program order, thread by thread. A read-modify-write is a read and a write; a
// failed compare-and-swap is a read. Frames of tests have no branch events: the effect of branches is in `ctrl`.
//
// Cells are cut where some access of the frame begins or ends, so an access covers a cell or does not touch it. An
// access that covers several cells is several events, its pieces: they share an instruction and a position, and program
// order does not order them. A test whose accesses to a location all have the same bytes, as nearly all do, has no
// pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// The ways a thread's path ends. Only finished threads have outcomes; the other endings tell whether a test always ends
// (see model/progress.h).
enum class Ending : std::uint8_t {
  finished,
  spins,      // goes round a loop for ever
  blocked,    // waits at a barrier, the last event
  stopped,    // is never scheduled again
  unstarted,  // was never scheduled
};

enum class EventKind : std::uint8_t { init, read, write, fence, barrier, branch };

struct Expansion;  // expand.h

struct Event {
  EventKind kind = EventKind::init;
  std::optional<litmus::ThreadId> thread;      // none for initial writes
  std::uint32_t agent = 0;                     // 0 is the thread itself, others are its asynchronous operations
  std::uint32_t instruction = 0;               // index into the thread's instructions
  std::uint32_t position = 0;                  // in program order within the thread, counting events
  std::optional<litmus::LocationId> location;  // the location named (virtual); none for fences, barriers, branches
  litmus::LocationId physical;                 // `location` with all aliases followed; meaningful if that is set
  std::int64_t offset = 0;                     // bytes into the location
  int size = 0;                                // in bytes
  litmus::Type type = litmus::Type::s32;       // the access's type, for its pieces as well
  std::uint32_t operation = 0;                 // shared by the pieces of one access and no other events
  std::int64_t access_offset = 0;              // the bytes of the whole access; of an initial write, its cell's
  int access_size = 0;
  litmus::Order order = litmus::Order::plain;  // for this half of the access: the read of an acq_rel RMW is acquire
  litmus::Scope scope = litmus::Scope::device;
  bool rmw = false;                        // half of a read-modify-write (or of an exclusive pair that succeeded)
  std::optional<std::int64_t> barrier_id;  // resolved, for barriers; the next two likewise, where given
  std::optional<std::int64_t> barrier_name;
  std::optional<std::int64_t> barrier_quorum;
  bool late = false;                            // a barrier that had opened already, see barriers.h
  const litmus::Instruction* source = nullptr;  // into the test; null for initial writes

  const litmus::Access* access() const { return source == nullptr ? nullptr : litmus::access_of(*source); }
  // True if one agent of one thread did both.
  bool same_agent(const Event& other) const { return thread == other.thread && agent == other.agent; }
  // A change of an mbarrier's counts.
  bool counts() const {
    const auto* change = source == nullptr ? nullptr : std::get_if<litmus::Rmw>(&source->operation);
    return change != nullptr && change->refill != 0;
  }
  bool is_write() const { return kind == EventKind::write || kind == EventKind::init; }
};

// The end of a thread where not all threads finish.
struct ThreadEnd {
  Ending ending = Ending::finished;
  EventId spin = 0;        // the first event of the last round, which goes to the end of the thread's events
  std::size_t branch = 0;  // the branch back
};

struct Frame {
  const litmus::LitmusTest* test = nullptr;
  std::shared_ptr<const Expansion> expansion;  // contains `test`, if that has asynchronous operations
  litmus::ScopeTree scopes;
  std::vector<Event> events;

  std::vector<ThreadEnd> ends;  // by thread; empty if all of them finish

  // Program order, transitive, within threads and within their agents; initial writes are not in it.
  Relation po;
  // Without events where there are none: from what a thread did to the accesses of copies that it issues later; and
  // from what copies do to an event that waits for it.
  Relation issues, completes;
  // Dependencies as the architectures define them: from a read (through registers) to the access whose address, stored
  // value or execution it determines. ctrl reaches everything po-after the branch, arm_ctrl what is in its arms.
  Relation addr, data, ctrl, arm_ctrl;
  // Picks (see path.h) that are not dependencies of these kinds. Without events where there are none.
  Relation pick_addr, pick_data, pick_ctrl;
  Relation rmw;         // from the read to the write of one read-modify-write, or of a paired load/store-exclusive
  Relation loc;         // same cell (reads and writes, initial ones included)
  bool pieces = false;  // some access is several events

  std::size_t size() const { return events.size(); }
};

// A frame with its choices made. rf goes from writes to reads, one per read. co goes between writes of one location,
// transitive; total per location unless the model asked for partial coherence.
struct Candidate {
  const Frame* frame = nullptr;
  const Relation* rf = nullptr;
  const Relation* co = nullptr;
  const std::vector<litmus::Value>* values = nullptr;  // by event: what it read or wrote
};

// One execution, kept to be shown. It points into the test, which must outlive it.
struct Witness {
  Frame frame;
  Relation rf, co;
  std::vector<litmus::Value> values;
  litmus::Outcome outcome;

  Candidate candidate() const { return {&frame, &rf, &co, &values}; }
};

}  // namespace weakspot::model

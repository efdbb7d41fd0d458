// SPDX-License-Identifier: MIT
// The paths of one thread: every way its branches, guards, selects, compare-and-swaps and store-exclusives can go, with
// loops followed a bounded number of times. A path has a list of events, whose addresses and values are expressions
// over the values of its reads; the constraints on those values under which the thread goes this way; and the
// dependencies.
//
// Dependencies are syntactic, as the architectures define them: they follow registers regardless of values (r ^ r still
// depends on r), and constants cut them. A branch or guard on a register puts a control dependency on everything after
// it. The operand and the expected value of a read-modify-write give its write a data dependency; its own read does
// not (that is `rmw`). The status of a store-exclusive depends on nothing.
//
// A successful compare-and-swap of AArch64 may keep its register or write the value read to it, which is the same
// value: there are paths of both kinds. If it keeps the register, the register's dependencies stay as they were, and
// only the comparison links it to the read. Such a link is a pick: the value is picked by the read, not computed from
// it. In the same way the expected value picks what is stored. AArch64's conditional selects also pick: there are paths
// for either value, in which the result depends on the value taken and is picked by the comparison. Elsewhere a select
// depends on all its operands, as any computation does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "litmus/test.h"
#include "model/budget/allowance.h"
#include "model/execution/expand.h"
#include "model/execution/frame.h"
#include "model/expression/expression.h"

namespace weakspot::model {

// Positions of reads among the path's events, sorted.
using Reads = std::vector<std::uint32_t>;

struct PathEvent {
  EventKind kind = EventKind::read;
  std::uint32_t instruction = 0;
  litmus::Order order = litmus::Order::plain;
  std::optional<ExprId> address;     // the whole address, for reads and writes
  std::optional<ExprId> value;       // the value that a write stores
  std::optional<ExprId> barrier_id;  // for barriers; name and quorum only where given
  std::optional<ExprId> barrier_name;
  std::optional<ExprId> barrier_quorum;
  std::optional<std::uint32_t> rmw_read;    // for writes: the read of this read-modify-write or exclusive pair
  bool exclusive = false;                   // rmw_read is a load-exclusive, which must have the same location
  std::optional<litmus::LocationId> named;  // the location the address names, if it does
  std::uint32_t agent = 0;  // an asynchronous operation of the thread, counted as they are issued; 0: the thread
  Reads after;              // events of agents, sorted, that are complete before this one
  Reads addr, data, ctrl;
  Reads arm_ctrl;                         // those of ctrl that decide whether this happens at all
  Reads pick_addr, pick_data, pick_ctrl;  // picks that are not also dependencies
};

// The thread goes this way only if the expression is (not) equal to the value.
struct Constraint {
  ExprId expression = 0;
  litmus::Value value;
  bool equal = true;
};

// The round of a loop with which a path ends because it left nothing behind (see spin.h): the thread might go round for
// ever.
struct Spin {
  std::size_t head = 0;     // instruction: the label
  std::size_t branch = 0;   // instruction: the branch back
  std::uint32_t first = 0;  // the round's first event; the others follow to the end of the path
};

struct Path {
  ExpressionPool expressions;
  std::vector<PathEvent> events;
  std::vector<Constraint> constraints;
  std::vector<ExprId> registers;  // final values
  bool given_up = false;          // at the unroll limit: the path ends here without an outcome
  Ending ending = Ending::finished;
  std::optional<Spin> spin;  // the last round: another one cannot lead to anything new

  std::size_t held() const;  // bytes, roughly
};

struct PathOptions {
  std::uint32_t unroll = Limits{}.unroll;
  // Leave out rounds whose read-modify-writes write back what they read.
  bool write_backs = true;
  // Follow one round that only waits if it may be part of a data race.
  bool races = false;
  // Also list paths that end before the thread does: at each barrier, and, with `stops`, before the first and after
  // each write.
  bool unfinished = false;
  bool stops = false;
  const Expansion* expansion = nullptr;  // the expansion that the test is part of
  std::size_t paths = 100'000;           // per thread; the rest is not collected
  std::size_t instructions = 5'000;      // on one path; longer ones are given up
  std::size_t work = 500'000;            // instructions on all paths of a thread; the rest is not collected
  Allowance* allowance = nullptr;        // when it is used up, the rest is not collected
};

struct Paths {
  std::vector<Path> paths;
  bool too_many = false;  // options.paths or options.work was reached, or the allowance is used up
};

class SharedAccesses;  // spin.h

Paths unroll(const litmus::LitmusTest& test, litmus::ThreadId thread, const SharedAccesses& shared,
             const PathOptions& options);

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// Barriers of a frame: which ones meet, and which threads come too late.
//
// Barriers meet if their level (warp, workgroup, cluster), their ids and their names are equal (one without a name
// meets any), their threads are in one instance of that level, and they are the same in number among the barriers of
// that level, id and name: the first of one thread meets the first of another. Where more threads come than a barrier
// waits for, it opens when enough of them are there. Which ones those are is a choice, like the write that a read reads
// from. Everyone who meets them sees what they did before; nobody sees what the late ones did.
#pragma once

#include <vector>

#include "model/budget/allowance.h"
#include "model/execution/frame.h"

namespace weakspot::model {

using BarrierKind = litmus::Barrier::Kind;

class Barriers {
 public:
  explicit Barriers(const Frame& frame);

  // The barriers that meet this one, itself included; empty for other events.
  const std::vector<EventId>& meeting(EventId barrier) const { return meeting_[barrier]; }
  // Whether some barrier waits for more threads than ever come: then no execution of the frame ends.
  bool wait_forever() const;
  // The possible sets of late barriers, at most `most` of them; one is to be chosen. Only maximal sets are listed,
  // since smaller ones allow less. If every barrier waits for all who come, the empty set is the only choice. Sets are
  // missing if the allowance is used up.
  std::vector<std::vector<EventId>> late(std::size_t most, Allowance& allowance) const;

 private:
  bool enough(const std::vector<bool>& late) const;
  std::size_t needed(EventId barrier) const;

  const Frame& frame_;
  std::vector<EventId> barriers_;
  std::vector<std::vector<EventId>> meeting_;  // by event
};

}  // namespace weakspot::model

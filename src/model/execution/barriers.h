// Which barriers of a frame meet, and who comes too late.
//
// Barriers meet if their ids and names are equal (one without a name meets any), their threads are in one instance of
// the barrier's scope, and it is the same time round: the first of a thread meets the first of another. Where more
// threads come than a barrier waits for, it opens when enough of them are there. Who they were is a choice, like the
// write that a read reads from: what they did before is known to everyone who meets them, and what the late ones did is
// known to nobody.
#pragma once

#include <vector>

#include "model/execution/frame.h"

namespace weakspot::model {

class Barriers {
 public:
  explicit Barriers(const Frame& frame);

  // Including the barrier itself; nothing for other events.
  const std::vector<EventId>& meeting(EventId barrier) const { return meeting_[barrier]; }
  // Some barrier waits for more threads than ever come: the frame has no executions that end.
  bool wait_forever() const;
  // Who may be late: sets of barriers, one of which is to be chosen. Only sets to which no barrier can be added are
  // listed, since the others allow less. The one empty set if all barriers wait for all who come.
  // More than `most` sets are not listed.
  std::vector<std::vector<EventId>> late(std::size_t most) const;

 private:
  bool enough(const std::vector<bool>& late) const;
  std::size_t needed(EventId barrier) const;

  const Frame& frame_;
  std::vector<EventId> barriers_;
  std::vector<std::vector<EventId>> meeting_;  // by event
};

}  // namespace weakspot::model

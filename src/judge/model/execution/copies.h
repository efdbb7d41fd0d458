// SPDX-License-Identifier: MIT
// The asynchronous operations of a thread on one path: which events are theirs, and which of them a wait finds
// complete.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/execution/expand.h"
#include "model/execution/path.h"

namespace weakspot::model {

class Copies {
 public:
  // The next events are those of one more operation.
  void issue() { ++issued_; }
  // Marks the events from `first` on as its own.
  void add(const Agent& agent, std::vector<PathEvent>& events, std::size_t first);
  // Ends a group.
  void commit(litmus::AsyncEngine engine);
  // The events that a wait for groups finds complete: those of all groups but the youngest ones, or only their reads.
  Reads completed(const litmus::AsyncControl& control, const std::vector<PathEvent>& events) const;

 private:
  std::vector<Reads>& groups(litmus::AsyncEngine engine);

  std::uint32_t issued_ = 0;
  std::map<litmus::AsyncEngine, std::vector<Reads>> groups_;  // the last one of each is still open
  Reads lanes_;                                               // events of all lane copies
  Reads products_;                                            // events of all tccp and tcmma operations
};

// The state of an mbarrier after a change: see expand.h.
ExprId mbarrier_after(ExpressionPool& pool, ExprId changed, const litmus::Rmw& change);

}  // namespace weakspot::model

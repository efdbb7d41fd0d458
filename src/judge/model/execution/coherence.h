// SPDX-License-Identifier: MIT
// The order of the writes of each location while it is being chosen.
//
// The decisions so far are a strict partial order, always transitively closed, and the pairs that may never be ordered.
// Deciding every pair one way or the other visits each order exactly once: each total order where pairs must be
// ordered, each partial order where they may stay unordered. The initial write comes first.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/execution/frames.h"
#include "model/relation/relation.h"

namespace weakspot::model {

class Coherence {
 public:
  Coherence(const Layout& layout, bool partial);

  const Relation& order() const { return order_; }

  using Pair = std::pair<EventId, EventId>;
  // The pairs to decide. Changes of an mbarrier are not among them: see chained().
  const std::vector<Pair>& pairs() const { return pairs_; }
  // Changes of an mbarrier that nothing else writes. Each changes the state that it reads, so reads-from orders them.
  const std::vector<Pair>& chained() const { return chained_; }
  bool decided(const Pair& pair) const;
  std::optional<Pair> first_undecided() const;
  // An estimate of the most completions there can be, and the number of undecided pairs.
  struct Size {
    double completions = 1;
    std::size_t undecided = 0;
  };
  Size size() const;

  // Decisions. False if one contradicts earlier ones; the state must then be restored.
  bool order(EventId before, EventId after);
  bool exclude(EventId before, EventId after);  // `before` never comes first
  bool separate(EventId a, EventId b);          // keeps the two unordered; false if they must be ordered
  // The pair must be ordered, one way or the other.
  bool require(EventId a, EventId b);

  // From now on no order has `one` and `other`, each "first before second". They are of different cells.
  void forbid_together(const Pair& one, const Pair& other);

  // The writes of a cell that have no later one.
  void last_writes(EventId cell, std::vector<EventId>& writes) const;

  // The number of relations held, saved ones included.
  std::size_t held() const { return 3 + (partial_ ? 3 : 2) * saved_.size(); }

  // States are saved and restored like a stack.
  void save();
  void restore();
  void discard();

 private:
  struct State {
    Relation order;
    Relation never;
    Relation required;  // kept with partial orders only
  };

  bool follow_forbidden();
  bool follows(const Pair& pair) const;

  const Layout& layout_;
  bool partial_;
  std::vector<Pair> pairs_;
  std::vector<Pair> chained_;
  std::vector<std::pair<Pair, Pair>> forbidden_;  // together
  std::vector<double> factorials_;                // by cell: the orders of its writes
  Relation order_;
  Relation never_;     // (a, b): a does not come before b
  Relation required_;  // (a, b): they may not stay unordered
  std::vector<State> saved_;
  std::size_t depth_ = 0;
};

}  // namespace weakspot::model

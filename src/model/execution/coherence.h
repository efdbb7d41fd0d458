// The order of the writes of each location while it is being chosen.
//
// What is decided is kept as a strict partial order that is always transitively closed, together with the pairs that
// may never be ordered. Deciding every pair one way or the other visits each order exactly once: a total order when
// pairs must be ordered, any partial order when they may stay unordered. The initial write comes first.
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
  const std::vector<Pair>& pairs() const { return pairs_; }
  bool decided(const Pair& pair) const;
  std::optional<Pair> first_undecided() const;
  // How many completions there are at most, roughly, and how many pairs are undecided.
  struct Size {
    double completions = 1;
    std::size_t undecided = 0;
  };
  Size size() const;

  // Decisions; false if they contradict earlier ones, and then the state must be restored.
  bool order(EventId before, EventId after);
  bool exclude(EventId before, EventId after);  // `before` never comes first
  bool separate(EventId a, EventId b);          // never ordered; false if they must be
  // Asks that a pair be ordered, one way or the other.
  bool require(EventId a, EventId b);

  // The writes of a cell that no other comes after.
  void last_writes(EventId cell, std::vector<EventId>& writes) const;

  // How many relations there are, saved ones too.
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

  const Layout& layout_;
  bool partial_;
  std::vector<Pair> pairs_;
  std::vector<double> factorials_;  // by cell: the orders of its writes
  Relation order_;
  Relation never_;     // (a, b): a does not come before b
  Relation required_;  // (a, b): they may not stay unordered
  std::vector<State> saved_;
  std::size_t depth_ = 0;
};

}  // namespace weakspot::model

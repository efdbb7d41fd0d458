// SPDX-License-Identifier: MIT
// The choice of a `with` order without trying all n! of them: is there a total order that passes the checks?
//
// The search guesses an order. If some check fails on it, the search finds out which few pairs of the order are to
// blame, and which pairs of rf and co they need for that, and learns that these never come together. What was learned
// forces pairs the other way round in this candidate and in all later ones of the frame, partial ones included: most
// candidates then need one guess, or none because the forced pairs form a cycle. A pair is tried both ways only if more
// than one is to blame.
//
// Nothing is learned but what was evaluated, and an order counts only if the whole model passes on it. So the answers
// are those of trying all orders, which the tests compare.
#pragma once

#include <utility>
#include <vector>

#include "model/budget/allowance.h"
#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// The questions that the search asks about a candidate. An order is a relation, not always transitive.
class OrderChecks {
 public:
  virtual ~OrderChecks() = default;
  // Whether all checks pass on a total order.
  virtual bool passes(const Relation& order) = 0;
  // Whether some check fails on every total order that contains this one.
  virtual bool fails(const Relation& order) = 0;
  // Like fails(), for every candidate that contains these rf and co.
  virtual bool fails_within(const Relation& rf, const Relation& co, const Relation& order) = 0;
  // Called after fails_within() and before another question is asked.
  virtual void restore() = 0;
};

class OrderSearch {
 public:
  // Forgets everything. `parts` are the sets of events to be ordered, each by itself.
  void begin(const Frame& frame, std::vector<std::vector<EventId>> parts);

  // Whether some order that contains `contains` passes. If so, the last call to `checks` was passes() on that order.
  bool find(const Candidate& candidate, const Relation& contains, OrderChecks& checks, Allowance& allowance);
  // Computes the known pairs of every order that fits a candidate containing rf and co. False if there is no such
  // order.
  bool forced(const Relation& rf, const Relation& co, Relation& order);

  bool knows_nothing() const { return clauses_.empty(); }
  std::size_t held() const { return bytes_; }  // by what was learned

 private:
  using Pair = std::pair<EventId, EventId>;
  using Pairs = std::vector<Pair>;
  // No allowed execution has all of these pairs.
  struct Clause {
    Pairs rf, co, order;
  };

  bool search(Relation& order);
  bool propagate(Relation& order) const;
  // Adds a pair, and all that follow from it. False if there is no such order.
  bool add(Relation& order, EventId before, EventId after) const;
  const Clause* open_clause(const Relation& order) const;
  void extend(const Relation& order, Relation& total);
  // Learns from a total order that fails. False if the part of it that is given fails.
  bool learn(const Relation& order, const Relation& total);
  void generalise(Clause clause);
  template <typename Fails>
  Pairs find_core(const Pairs& pairs, const Fails& fails);
  void choose_active(const Relation& rf, const Relation& co);
  Pairs pairs_of(const Relation& relation) const;

  std::size_t events_ = 0;
  std::vector<std::vector<EventId>> parts_;  // in the order of the last guess that passed
  std::vector<std::uint32_t> part_of_;       // by event; meaningful for those that are ordered
  std::vector<Clause> clauses_;
  std::vector<Clause> here_;           // clauses for this candidate only
  std::vector<const Clause*> active_;  // clauses whose rf and co the candidate contains
  std::vector<EventId> free_;          // scratch
  std::size_t bytes_ = 0;
  const Candidate* candidate_ = nullptr;
  OrderChecks* checks_ = nullptr;
  Allowance* allowance_ = nullptr;
};

}  // namespace weakspot::model

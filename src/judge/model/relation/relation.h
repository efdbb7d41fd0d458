// SPDX-License-Identifier: MIT
// Sets of events and relations between them, as bits: row i of a relation holds the events that i is related to.
//
// Everything in this module is built on these operations and runs them many thousand times per second. The in-place
// forms (the `assign_*` members) reuse their storage and do not allocate while the size stays the same. Up to 64 events
// a row is one word; beyond that rows have as many words as needed. The obvious versions live in the test as oracles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/event_id.h"
#include "model/relation/kernels.h"
#include "model/relation/words.h"

namespace weakspot::model {

class EventSet {
 public:
  EventSet() = default;
  explicit EventSet(std::size_t events);
  static EventSet all(std::size_t events);

  std::size_t events() const { return events_; }
  bool has(EventId event) const { return kernels::test(words_.data(), event); }
  void insert(EventId event) { kernels::set(words_.data(), event); }
  void erase(EventId event) { kernels::reset(words_.data(), event); }
  void clear() { kernels::fill_zero(words_.data(), words_.size()); }
  bool empty() const { return kernels::is_zero(words_.data(), words_.size()); }
  std::size_t count() const { return kernels::population(words_.data(), words_.size()); }

  EventSet& operator|=(const EventSet& other);
  EventSet& operator&=(const EventSet& other);
  EventSet& operator-=(const EventSet& other);
  EventSet complement() const;

  // In increasing order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    kernels::for_each_bit(words_.data(), words_.size(), [&](std::size_t i) { visit(static_cast<EventId>(i)); });
  }

  friend bool operator==(const EventSet&, const EventSet&) = default;

  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t* words() { return words_.data(); }

 private:
  std::size_t events_ = 0;
  Words words_;
};

class Relation {
 public:
  Relation() = default;
  explicit Relation(std::size_t events);
  static Relation identity(const EventSet& on);
  static Relation product(const EventSet& from, const EventSet& to);

  std::size_t events() const { return events_; }
  std::size_t words_per_row() const { return words_per_row_; }
  std::uint64_t* row(EventId event) { return words_.data() + event * words_per_row_; }
  const std::uint64_t* row(EventId event) const { return words_.data() + event * words_per_row_; }

  bool has(EventId from, EventId to) const { return kernels::test(row(from), to); }
  void insert(EventId from, EventId to) { kernels::set(row(from), to); }
  void erase(EventId from, EventId to) { kernels::reset(row(from), to); }
  void clear() { kernels::fill_zero(words_.data(), words_.size()); }
  void resize(std::size_t events);  // and clear
  bool empty() const { return kernels::is_zero(words_.data(), words_.size()); }
  std::size_t count() const { return kernels::population(words_.data(), words_.size()); }
  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t* words() { return words_.data(); }
  std::size_t word_count() const { return words_.size(); }

  Relation& operator|=(const Relation& other);
  Relation& operator&=(const Relation& other);
  Relation& operator-=(const Relation& other);
  // *this = a ; b. Neither may be *this. With an allowance that is used up, this and close() end early with a result
  // that means nothing.
  void assign_composition(const Relation& a, const Relation& b, Allowance* allowance = nullptr);
  void assign_inverse(const Relation& other);
  void assign_complement(const Relation& other);
  // Transitive closure in place; `reflexive` adds the identity on all events.
  void close(bool reflexive = false, Allowance* allowance = nullptr);
  // Keeps the pairs that start in `from` and end in `to`.
  void restrict_domain(const EventSet& from);
  void restrict_range(const EventSet& to);

  EventSet domain() const;
  EventSet range() const;
  EventSet successors(EventId event) const;

  bool is_irreflexive() const;
  bool is_acyclic() const;  // does not build the closure when it can tell sooner

  // visit(from, to), rows in order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (EventId from = 0; from < events_; ++from) {
      kernels::for_each_bit(row(from), words_per_row_, [&](std::size_t to) { visit(from, static_cast<EventId>(to)); });
    }
  }

  friend bool operator==(const Relation&, const Relation&) = default;

 private:
  std::size_t events_ = 0;
  std::size_t words_per_row_ = 0;
  Words words_;
};

// A shortest cycle, as the events on it in order (the last is related to the first); empty if the relation is acyclic.
// When the allowance is used up, the shortest one found until then.
std::vector<EventId> find_cycle(const Relation& relation, Allowance* allowance = nullptr);
std::optional<EventId> find_reflexive(const Relation& relation);
std::optional<std::pair<EventId, EventId>> find_pair(const Relation& relation);
// A shortest path of at least one step.
std::vector<EventId> find_path(const Relation& relation, EventId from, EventId to);

}  // namespace weakspot::model

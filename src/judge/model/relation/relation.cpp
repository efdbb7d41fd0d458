// SPDX-License-Identifier: MIT
#include "model/relation/relation.h"

#include <algorithm>

#include "base/check.h"

namespace weakspot::model {

EventSet::EventSet(std::size_t events) : events_(events), words_(kernels::words_for(events)) {}

EventSet EventSet::all(std::size_t events) { return EventSet(events).complement(); }

EventSet& EventSet::operator|=(const EventSet& other) {
  WEAKSPOT_CHECK(events_ == other.events_);
  kernels::unite(words_.data(), words_.data(), other.words_.data(), words_.size());
  return *this;
}

EventSet& EventSet::operator&=(const EventSet& other) {
  WEAKSPOT_CHECK(events_ == other.events_);
  kernels::intersect(words_.data(), words_.data(), other.words_.data(), words_.size());
  return *this;
}

EventSet& EventSet::operator-=(const EventSet& other) {
  WEAKSPOT_CHECK(events_ == other.events_);
  kernels::subtract(words_.data(), words_.data(), other.words_.data(), words_.size());
  return *this;
}

EventSet EventSet::complement() const {
  EventSet result(events_);
  kernels::complement_set(result.words(), words(), events_, words_.size());
  return result;
}

Relation::Relation(std::size_t events)
    : events_(events), words_per_row_(kernels::words_for(events)), words_(events * words_per_row_) {}

Relation Relation::identity(const EventSet& on) {
  Relation result(on.events());
  kernels::identity_on(result.words(), on.words(), result.events_, result.words_per_row_);
  return result;
}

Relation Relation::product(const EventSet& from, const EventSet& to) {
  WEAKSPOT_CHECK(from.events() == to.events());
  Relation result(from.events());
  kernels::product(result.words(), from.words(), to.words(), result.events_, result.words_per_row_);
  return result;
}

void Relation::resize(std::size_t events) {
  events_ = events;
  words_per_row_ = kernels::words_for(events);
  words_.assign(events * words_per_row_);
}

Relation& Relation::operator|=(const Relation& other) {
  WEAKSPOT_CHECK(events_ == other.events_);
  kernels::unite(words(), words(), other.words(), words_.size());
  return *this;
}

Relation& Relation::operator&=(const Relation& other) {
  WEAKSPOT_CHECK(events_ == other.events_);
  kernels::intersect(words(), words(), other.words(), words_.size());
  return *this;
}

Relation& Relation::operator-=(const Relation& other) {
  WEAKSPOT_CHECK(events_ == other.events_);
  kernels::subtract(words(), words(), other.words(), words_.size());
  return *this;
}

void Relation::assign_composition(const Relation& a, const Relation& b, Allowance* allowance) {
  WEAKSPOT_CHECK(this != &a && this != &b && a.events_ == b.events_);
  if (events_ != a.events_) resize(a.events_);
  kernels::compose(words(), a.words(), b.words(), events_, words_per_row_, allowance);
}

void Relation::assign_inverse(const Relation& other) {
  WEAKSPOT_CHECK(this != &other);
  if (events_ != other.events_) resize(other.events_);
  kernels::inverse(words(), other.words(), events_, words_per_row_);
}

void Relation::assign_complement(const Relation& other) {
  if (events_ != other.events_) resize(other.events_);
  kernels::complement(words(), other.words(), events_, words_per_row_);
}

void Relation::close(bool reflexive, Allowance* allowance) {
  kernels::close(words(), events_, words_per_row_, allowance);
  if (reflexive) kernels::add_identity(words(), events_, words_per_row_);
}

void Relation::restrict_domain(const EventSet& from) {
  WEAKSPOT_CHECK(events_ == from.events());
  kernels::restrict_to(words(), words(), from.words(), nullptr, events_, words_per_row_);
}

void Relation::restrict_range(const EventSet& to) {
  WEAKSPOT_CHECK(events_ == to.events());
  kernels::restrict_to(words(), words(), nullptr, to.words(), events_, words_per_row_);
}

EventSet Relation::domain() const {
  EventSet result(events_);
  kernels::domain(result.words(), words(), events_, words_per_row_);
  return result;
}

EventSet Relation::range() const {
  EventSet result(events_);
  kernels::range(result.words(), words(), events_, words_per_row_);
  return result;
}

EventSet Relation::successors(EventId event) const {
  EventSet result(events_);
  kernels::copy(result.words(), row(event), words_per_row_);
  return result;
}

bool Relation::is_irreflexive() const { return kernels::is_irreflexive(words(), events_, words_per_row_); }

bool Relation::is_acyclic() const { return kernels::is_acyclic(words(), events_, words_per_row_); }

std::optional<EventId> find_reflexive(const Relation& relation) {
  for (EventId event = 0; event < relation.events(); ++event) {
    if (relation.has(event, event)) return event;
  }
  return std::nullopt;
}

std::optional<std::pair<EventId, EventId>> find_pair(const Relation& relation) {
  std::optional<std::pair<EventId, EventId>> found;
  for (EventId from = 0; from < relation.events() && !found; ++from) {
    kernels::for_each_bit(relation.row(from), relation.words_per_row(), [&](std::size_t to) {
      if (!found) found.emplace(from, static_cast<EventId>(to));
    });
  }
  return found;
}

std::vector<EventId> find_path(const Relation& relation, EventId from, EventId to) {
  // Breadth first; `before[e]` is the event from which e was reached.
  constexpr EventId kNone = ~EventId{0};
  std::vector<EventId> before(relation.events(), kNone);
  std::vector<EventId> queue{from};
  for (std::size_t head = 0; head < queue.size() && before[to] == kNone; ++head) {
    const EventId at = queue[head];
    kernels::for_each_bit(relation.row(at), relation.words_per_row(), [&](std::size_t next) {
      if (before[next] != kNone) return;
      before[next] = at;
      queue.push_back(static_cast<EventId>(next));
    });
  }
  if (before[to] == kNone) return {};
  std::vector<EventId> path{to};
  do {
    path.push_back(before[path.back()]);
  } while (path.back() != from);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<EventId> find_cycle(const Relation& relation, Allowance* allowance) {
  std::vector<EventId> shortest;
  for (EventId event = 0; event < relation.events(); ++event) {
    if (allowance != nullptr && allowance->spend(1 + relation.word_count() / 64)) break;
    std::vector<EventId> cycle = find_path(relation, event, event);
    if (cycle.empty()) continue;
    cycle.pop_back();
    if (shortest.empty() || cycle.size() < shortest.size()) shortest = std::move(cycle);
    if (shortest.size() == 1) break;
  }
  return shortest;
}

}  // namespace weakspot::model

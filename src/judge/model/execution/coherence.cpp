// SPDX-License-Identifier: MIT
#include "model/execution/coherence.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace weakspot::model {
namespace {

bool is_chain(const Layout& layout, const std::vector<EventId>& writes) {
  return layout.pieces.empty() &&
         std::all_of(writes.begin(), writes.end(), [&](EventId write) { return layout.frame.events[write].counts(); });
}

}  // namespace

Coherence::Coherence(const Layout& layout, bool partial) : layout_(layout), partial_(partial) {
  const std::size_t size = layout.frame.size();
  order_.resize(size);
  never_.resize(size);
  required_.resize(size);
  factorials_.reserve(layout.cells.size());
  for (EventId initial = 0; initial < layout.cells.size(); ++initial) {
    const std::vector<EventId>& writes = layout.cells[initial];
    std::vector<Pair>& pairs = is_chain(layout, writes) ? chained_ : pairs_;
    double orders = 1;
    for (std::size_t j = 0; j < writes.size(); ++j) {
      order_.insert(initial, writes[j]);
      orders *= static_cast<double>(j + 1);
      // Later writes are compared with all earlier ones before the next is looked at: an insertion sort.
      for (std::size_t i = 0; i < j; ++i) pairs.emplace_back(writes[i], writes[j]);
    }
    factorials_.push_back(orders);
  }
  for (const auto& [a, b] : chained_) {
    required_.insert(a, b);
    required_.insert(b, a);
  }
}

bool Coherence::decided(const Pair& pair) const {
  const auto [a, b] = pair;
  return order_.has(a, b) || order_.has(b, a) || (never_.has(a, b) && never_.has(b, a));
}

std::optional<Coherence::Pair> Coherence::first_undecided() const {
  for (const Pair& pair : pairs_) {
    if (!decided(pair)) return pair;
  }
  return std::nullopt;
}

Coherence::Size Coherence::size() const {
  Size size;
  EventId cell = 0;
  double completions = 1;
  bool total = true;  // all pairs of the cell must be ordered
  auto finish_cell = [&] {
    if (total && cell < factorials_.size()) completions = std::min(completions, factorials_[cell]);
    size.completions *= completions;
    completions = 1;
    total = true;
  };
  for (const Pair& pair : pairs_) {
    if (layout_.cell[pair.first] != cell) {
      finish_cell();
      cell = layout_.cell[pair.first];
    }
    if (decided(pair)) continue;
    ++size.undecided;
    if (!forbidden_.empty() && follows(pair)) continue;
    const bool must = !partial_ || required_.has(pair.first, pair.second);
    completions *= must ? 2 : 3;
    total = total && must;
  }
  finish_cell();
  return size;
}

bool Coherence::order(EventId before, EventId after) {
  if (order_.has(before, after)) return true;
  if (order_.has(after, before) || never_.has(before, after)) return false;
  const std::size_t words = order_.words_per_row();
  const std::uint64_t* later = order_.row(after);
  const std::vector<EventId>& writes = layout_.cells[layout_.cell[before]];
  for (EventId write : writes) {
    if (write != before && !order_.has(write, before)) continue;
    std::uint64_t* row = order_.row(write);
    for (std::size_t i = 0; i < words; ++i) row[i] |= later[i];
    order_.insert(write, after);
    const std::uint64_t* never = never_.row(write);
    for (std::size_t i = 0; i < words; ++i) {
      if ((row[i] & never[i]) != 0) return false;
    }
  }
  return forbidden_.empty() || follow_forbidden();
}

void Coherence::forbid_together(const Pair& one, const Pair& other) {
  forbidden_.emplace_back(one, other);
  forbidden_.emplace_back(other, one);
}

// Excludes what the order so far forbids.
bool Coherence::follow_forbidden() {
  return std::all_of(forbidden_.begin(), forbidden_.end(), [&](const std::pair<Pair, Pair>& together) {
    const auto& [one, other] = together;
    if (!order_.has(one.first, one.second) || never_.has(other.first, other.second)) return true;
    return exclude(other.first, other.second);
  });
}

// Whether deciding a pair of an earlier cell decides this one.
bool Coherence::follows(const Pair& pair) const {
  return std::any_of(forbidden_.begin(), forbidden_.end(), [&](const std::pair<Pair, Pair>& together) {
    return together.second == pair && layout_.cell[together.first.first] < layout_.cell[pair.first];
  });
}

bool Coherence::exclude(EventId before, EventId after) {
  if (order_.has(before, after)) return false;
  never_.insert(before, after);
  const bool must = !partial_ || required_.has(before, after);
  if (never_.has(after, before)) return !must;
  return !must || order(after, before);
}

bool Coherence::separate(EventId a, EventId b) {
  if (!partial_ || required_.has(a, b) || order_.has(a, b) || order_.has(b, a)) return false;
  never_.insert(a, b);
  never_.insert(b, a);
  return true;
}

bool Coherence::require(EventId a, EventId b) {
  required_.insert(a, b);
  required_.insert(b, a);
  if (never_.has(a, b) && never_.has(b, a)) return false;
  if (never_.has(a, b)) return order(b, a);
  if (never_.has(b, a)) return order(a, b);
  return true;
}

void Coherence::last_writes(EventId cell, std::vector<EventId>& writes) const {
  writes.clear();
  for (EventId write : layout_.cells[cell]) {
    const std::vector<EventId>& others = layout_.cells[cell];
    if (std::none_of(others.begin(), others.end(), [&](EventId other) { return order_.has(write, other); })) {
      writes.push_back(write);
    }
  }
  if (writes.empty()) writes.push_back(cell);
}

void Coherence::save() {
  if (depth_ == saved_.size()) saved_.emplace_back();
  saved_[depth_].order = order_;
  saved_[depth_].never = never_;
  if (partial_) saved_[depth_].required = required_;
  ++depth_;
}

void Coherence::restore() {
  WEAKSPOT_CHECK(depth_ > 0);
  order_ = saved_[depth_ - 1].order;
  never_ = saved_[depth_ - 1].never;
  if (partial_) required_ = saved_[depth_ - 1].required;
}

void Coherence::discard() {
  restore();
  --depth_;
}

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
#include "model/execution/frame_values.h"

#include <utility>

#include "base/check.h"

namespace weakspot::model {

using litmus::Value;

FrameValues::FrameValues(const Layout& layout, const std::vector<litmus::ObservedRegister>& watched) : layout_(layout) {
  const std::vector<Event>& events = layout.frame.events;
  values_.resize(events.size());
  source_.resize(events.size());
  known_.resize(layout.operations());
  uses_.resize(layout.operations());
  if (!layout.pieces.empty()) {
    wholes_.resize(layout.operations());
    piece_known_.resize(events.size());
    missing_.resize(layout.operations());
  }
  for (EventId i = 0; i < events.size(); ++i) {
    if (events[i].kind != EventKind::read) continue;
    reads_.push_back(i);
    if (!missing_.empty()) ++missing_[events[i].operation];
  }
  set_initial_values();
  pending_.reserve(layout.operations() + 4);
  trail_.reserve(2 * events.size());
  for (std::uint32_t t = 0; t < layout.paths.size(); ++t) {
    const Path& path = *layout.paths[t]->path;
    for (std::uint32_t i = 0; i < path.events.size(); ++i) {
      if (path.events[i].kind == EventKind::write) add_pending(t, *path.events[i].value, layout.first[t] + i, nullptr);
    }
    for (const Constraint& constraint : layout.paths[t]->constraints) {
      add_pending(t, constraint.expression, std::nullopt, &constraint);
    }
  }
  watched_.reserve(watched.size());
  for (const litmus::ObservedRegister& reg : watched) {
    const std::uint32_t thread = reg.thread.index;
    const Path& path = *layout.paths[thread]->path;
    Watched& item = watched_.emplace_back(Watched{thread, path.registers[reg.reg.index], {}});
    for (std::uint32_t leaf : path.expressions.leaves(item.expression)) {
      item.reads.push_back(layout.first[thread] + leaf);
    }
  }
}

void FrameValues::set_initial_values() {
  for (EventId i = 0; i < layout_.initial_writes(); ++i) {
    const Event& event = layout_.frame.events[i];
    const litmus::LitmusTest& test = *layout_.frame.test;
    const litmus::LocationId element = element_at(test, layout_.bytes[i]);
    const litmus::Location& location = test[element];
    const Bytes whole = bytes_of(test, element);
    const std::optional<Value> value = part_of(wrap(location.initial, location.type), whole, layout_.bytes[i]);
    if (!value) {
      consistent_ = stop_at_nonsense();
      return;
    }
    values_[i] = wrap(*value, event.type);
    known_[i] = true;
    if (!wholes_.empty()) wholes_[i] = values_[i];
  }
}

void FrameValues::add_pending(std::uint32_t thread, ExprId expression, std::optional<EventId> write,
                              const Constraint* constraint) {
  const ExpressionPool& pool = layout_.paths[thread]->path->expressions;
  Pending pending{thread, expression, write, constraint, 0};
  if (pool.as_constant(expression) == nullptr) {
    for (std::uint32_t leaf : pool.leaves(expression)) {
      uses_[layout_.first[thread] + leaf].push_back(static_cast<std::uint32_t>(pending_.size()));
      ++pending.missing;
    }
  }
  if (pending.missing == 0) consistent_ = resolve(pending) && consistent_;
  pending_.push_back(pending);
}

bool FrameValues::stop_at_nonsense() {
  met_nonsense_ = true;
  return false;
}

bool FrameValues::resolve(const Pending& pending) {
  if (pending.write && known_[*pending.write]) return true;  // learned on the way
  const ExpressionPool& pool = layout_.paths[pending.thread]->path->expressions;
  const std::optional<Value> value = pool.evaluate(pending.expression, value_of(pending.thread));
  if (!value) return stop_at_nonsense();
  if (pending.constraint != nullptr) return (*value == pending.constraint->value) == pending.constraint->equal;
  return learn(*pending.write, *value);
}

bool FrameValues::learn(EventId operation, const Value& value) {
  if (value.base && cuts_address(operation)) return stop_at_nonsense();
  if (layout_.pieces.empty()) {
    values_[operation] = value;
  } else if (!spread(operation, value)) {
    return false;
  }
  known_[operation] = true;
  trail_.push_back({operation, Step::Kind::operation});
  // Everything is counted down before anything is computed, so that undo() finds the counts complete.
  for (std::uint32_t use : uses_[operation]) --pending_[use].missing;
  for (std::uint32_t use : uses_[operation]) {
    if (pending_[use].missing == 0 && !resolve(pending_[use])) return false;
  }
  const EventId first = layout_.first_piece(operation);
  if (layout_.frame.events[first].kind != EventKind::write) return true;
  const EventId end = layout_.end_of_pieces(operation);
  for (EventId read : reads_) {
    const std::optional<EventId>& source = source_[read];
    if (source && *source >= first && *source < end && !learn_from(read, *source)) return false;
  }
  return true;
}

// Whether a write stores into a part of a location. It cannot store an address there: no value stands for a part of
// one.
bool FrameValues::cuts_address(EventId operation) const {
  const Event& event = layout_.frame.events[layout_.first_piece(operation)];
  if (event.kind != EventKind::write) return false;
  return event.access_size < litmus::size_in_bytes((*layout_.frame.test)[event.physical].type);
}

// Sets the value of the whole access and, for a write in pieces, of the pieces.
bool FrameValues::spread(EventId operation, const Value& value) {
  wholes_[operation] = value;
  const EventId first = layout_.first_piece(operation);
  if (!has_pieces(operation)) {
    values_[first] = value;
    return true;
  }
  if (value.base) return stop_at_nonsense();
  if (layout_.frame.events[first].kind != EventKind::write) return true;
  for (EventId piece = first; piece < layout_.end_of_pieces(operation); ++piece) {
    values_[piece] = *part_of(value, layout_.extent(operation), layout_.bytes[piece]);
  }
  return true;
}

bool FrameValues::learn_from(EventId read, EventId write) {
  const EventId operation = layout_.operation_of(read);
  if (has_pieces(operation)) return learn_piece(read, bits(values_[write], layout_.bytes[read].size));
  const Value value = wrap(values_[write], layout_.frame.events[read].type);
  return known_[operation] ? by_operation()[operation] == value : learn(operation, value);
}

bool FrameValues::learn_piece(EventId read, const Value& value) {
  if (value.base) return stop_at_nonsense();
  if (piece_known_[read]) return values_[read] == value;
  const EventId operation = layout_.operation_of(read);
  values_[read] = value;
  piece_known_[read] = true;
  --missing_[operation];
  trail_.push_back({read, Step::Kind::piece});
  if (known_[operation]) return part_of(wholes_[operation], layout_.extent(operation), layout_.bytes[read]) == value;
  return missing_[operation] > 0 || learn(operation, assembled(operation));
}

Value FrameValues::assembled(EventId operation) const {
  std::uint64_t number = 0;
  const Bytes whole = layout_.extent(operation);
  for (EventId piece = layout_.first_piece(operation); piece < layout_.end_of_pieces(operation); ++piece) {
    const auto shift = static_cast<unsigned>(8 * (layout_.bytes[piece].offset - whole.offset));
    number |= static_cast<std::uint64_t>(values_[piece].number) << shift;
  }
  const litmus::Type type = layout_.frame.events[layout_.first_piece(operation)].type;
  return wrap(litmus::integer(static_cast<std::int64_t>(number)), type);
}

bool FrameValues::read_from(EventId read, EventId write) {
  source_[read] = write;
  trail_.push_back({read, Step::Kind::source});
  return !known_[layout_.operation_of(write)] || learn_from(read, write);
}

bool FrameValues::contradicts(EventId read, EventId write) {
  // Only a constraint can contradict, and only on a known value.
  const EventId operation = layout_.operation_of(read);
  if (!known_[layout_.operation_of(write)] || uses_[operation].empty() || has_pieces(operation)) return false;
  const std::size_t before = mark();
  const bool nonsense_before = std::exchange(met_nonsense_, false);
  const bool possible = read_from(read, write);
  undo(before);
  // Nonsense is left for the search to find, if it gets there.
  const bool nonsense = std::exchange(met_nonsense_, nonsense_before);
  return !possible && !nonsense;
}

bool FrameValues::suppose(EventId operation, const Value& value) {
  WEAKSPOT_CHECK(!known_[operation]);
  if (!has_pieces(operation)) return learn(operation, value);
  if (value.base) return false;  // an address in parts is met as nonsense where it is stored
  for (EventId piece = layout_.first_piece(operation); piece < layout_.end_of_pieces(operation); ++piece) {
    if (!piece_known_[piece]) continue;
    if (part_of(value, layout_.extent(operation), layout_.bytes[piece]) != values_[piece]) return false;
  }
  return learn(operation, value);
}

void FrameValues::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Step step = trail_.back();
    trail_.pop_back();
    switch (step.kind) {
      case Step::Kind::source:
        source_[step.id].reset();
        break;
      case Step::Kind::piece:
        piece_known_[step.id] = false;
        ++missing_[layout_.operation_of(step.id)];
        break;
      case Step::Kind::operation:
        known_[step.id] = false;
        for (std::uint32_t use : uses_[step.id]) ++pending_[use].missing;
        break;
    }
  }
}

std::optional<EventId> FrameValues::first_unknown() const {
  for (EventId read : reads_) {
    const EventId operation = layout_.operation_of(read);
    if (!known_[operation]) return operation;
  }
  return std::nullopt;
}

std::optional<Value> FrameValues::final_register(std::size_t index) {
  const Watched& reg = watched_[index];
  for (EventId read : reg.reads) {
    if (!known_[read]) return std::nullopt;
  }
  const ExpressionPool& pool = layout_.paths[reg.thread]->path->expressions;
  std::optional<Value> value = pool.evaluate(reg.expression, value_of(reg.thread));
  if (!value) met_nonsense_ = true;
  return value;
}

}  // namespace weakspot::model

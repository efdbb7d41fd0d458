// SPDX-License-Identifier: MIT
#include "model/execution/frame_values.h"

#include <utility>

#include "base/check.h"

namespace weakspot::model {

using litmus::Value;

FrameValues::FrameValues(const Layout& layout, const std::vector<litmus::ObservedRegister>& watched) : layout_(layout) {
  const std::vector<Event>& events = layout.frame.events;
  values_.resize(events.size());
  known_.resize(events.size());
  source_.resize(events.size());
  uses_.resize(events.size());
  for (EventId i = 0; i < events.size(); ++i) {
    if (events[i].kind == EventKind::read) reads_.push_back(i);
    if (events[i].kind != EventKind::init) continue;
    const litmus::Location& location = (*layout.frame.test)[events[i].physical];
    const Bytes whole{events[i].physical, 0, litmus::size_in_bytes(location.type)};
    values_[i] = extract(wrap(location.initial, location.type), whole, layout.bytes[i], events[i].type);
    known_[i] = true;
  }
  pending_.reserve(events.size() + 4);
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

bool FrameValues::resolve(const Pending& pending) {
  if (pending.write && known_[*pending.write]) return true;  // learned on the way
  const ExpressionPool& pool = layout_.paths[pending.thread]->path->expressions;
  const std::optional<Value> value = pool.evaluate(pending.expression, value_of(pending.thread));
  if (!value) {
    met_nonsense_ = true;
    return false;
  }
  if (pending.constraint != nullptr) return (*value == pending.constraint->value) == pending.constraint->equal;
  return learn(*pending.write, *value);
}

bool FrameValues::learn(EventId event, const Value& value) {
  values_[event] = value;
  known_[event] = true;
  trail_.push_back({event, false});
  // Everything is counted down before anything is computed, so that undo() finds the counts complete.
  for (std::uint32_t use : uses_[event]) --pending_[use].missing;
  for (std::uint32_t use : uses_[event]) {
    if (pending_[use].missing == 0 && !resolve(pending_[use])) return false;
  }
  if (layout_.frame.events[event].kind != EventKind::write) return true;
  for (EventId read : reads_) {
    if (source_[read] == event && !learn_from(read, event)) return false;
  }
  return true;
}

bool FrameValues::learn_from(EventId read, EventId write) {
  const litmus::Type type = layout_.frame.events[read].type;
  const Value value = extract(values_[write], layout_.bytes[write], layout_.bytes[read], type);
  return known_[read] ? values_[read] == value : learn(read, value);
}

bool FrameValues::read_from(EventId read, EventId write) {
  source_[read] = write;
  trail_.push_back({read, true});
  return !known_[write] || learn_from(read, write);
}

bool FrameValues::contradicts(EventId read, EventId write) {
  // Only a constraint can contradict, and only on a known value.
  if (!known_[write] || uses_[read].empty()) return false;
  const std::size_t before = mark();
  const bool nonsense_before = std::exchange(met_nonsense_, false);
  const bool possible = read_from(read, write);
  undo(before);
  // Nonsense is left for the search to find, if it gets there.
  const bool nonsense = std::exchange(met_nonsense_, nonsense_before);
  return !possible && !nonsense;
}

bool FrameValues::suppose(EventId read, const Value& value) {
  WEAKSPOT_CHECK(!known_[read]);
  return learn(read, value);
}

void FrameValues::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Step step = trail_.back();
    trail_.pop_back();
    if (step.source) {
      source_[step.event].reset();
      continue;
    }
    known_[step.event] = false;
    for (std::uint32_t use : uses_[step.event]) ++pending_[use].missing;
  }
}

std::optional<EventId> FrameValues::first_unknown() const {
  for (EventId read : reads_) {
    if (!known_[read]) return read;
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

// SPDX-License-Identifier: MIT
#include "model/execution/symmetry.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include "base/check.h"

namespace weakspot::model {
namespace {

using litmus::Value;

// So that the number of exchanges fits into 64 bits, with another group beside it.
constexpr std::size_t kMostThreads = 12;
constexpr std::size_t kMostGroups = 2;

// The constant that a store stores; null if it is not a constant.
const Value* constant_of(const litmus::Instruction& instruction) {
  const auto* store = std::get_if<litmus::Store>(&instruction.operation);
  return store == nullptr ? nullptr : std::get_if<Value>(&store->value);
}

}  // namespace

Symmetry::Symmetry(const Layout& layout, const FinalState& final, const FrameValues& values, bool same_outcomes)
    : layout_(layout), registers_(final.registers()), values_(values) {
  if (!layout.frame.scopes.system_synchronizes.empty() || !layout.frame.scopes.launches.empty()) return;
  values_move_ = !same_outcomes && values_decide_nothing();
  find_groups(same_outcomes);
  if (values_move_ && !constants_are_different()) {
    values_move_ = false;
    locations_.clear();
    find_groups(same_outcomes);
  }
}

// All that is written is known from the start, and all that is observed is what a read returned. A location is accessed
// as a whole or always by the same part.
bool Symmetry::values_decide_nothing() const {
  const std::vector<Event>& events = layout_.frame.events;
  std::map<litmus::LocationId, std::pair<litmus::Type, std::int64_t>> parts;
  for (EventId id = 0; id < events.size(); ++id) {
    if (events[id].is_write() && !values_.known(id)) return false;
    if (!events[id].is_write() && events[id].kind != EventKind::read) continue;
    const std::pair part(events[id].type, events[id].offset);
    if (parts.emplace(events[id].physical, part).first->second != part) return false;
  }
  for (const SettledPath* path : layout_.paths) {
    if (!path->constraints.empty()) return false;
  }
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    if (!holds_what_it_read(i)) return false;
  }
  return true;
}

bool Symmetry::holds_what_it_read(std::size_t observed) const {
  const std::uint32_t thread = registers_[observed].thread.index;
  const Path& path = *layout_.paths[thread]->path;
  const std::optional<std::uint32_t> read = path.expressions.as_read(path.registers[registers_[observed].reg.index]);
  return read && path.expressions.type_of(path.registers[registers_[observed].reg.index]) ==
                     layout_.frame.events[event(thread, *read)].type;
}

// If values change places, no other write may have one of them, so that equal values stay equal. An observed location
// must hold them as they were written.
bool Symmetry::constants_are_different() {
  const std::vector<Event>& events = layout_.frame.events;
  std::map<Value, std::size_t> uses;
  for (EventId id = 0; id < events.size(); ++id) {
    if (events[id].is_write()) ++uses[values_.values()[id]];
  }
  std::set<litmus::LocationId> changing;
  for (const Group& group : groups_) {
    for (std::uint32_t position = 0; position < events_of(group.threads.front()); ++position) {
      const EventId first = event(group.threads.front(), position);
      if (events[first].kind != EventKind::write) continue;
      const bool same = std::all_of(group.threads.begin(), group.threads.end(), [&](std::uint32_t thread) {
        return values_.values()[event(thread, position)] == values_.values()[first];
      });
      if (same) continue;
      changing.insert(events[first].physical);
      for (std::uint32_t thread : group.threads) {
        if (uses[values_.values()[event(thread, position)]] > 1) return false;
      }
    }
  }
  return observe_as_written(changing);
}

// Lists where outcomes have the values of these locations. False if some write to one of them is seen otherwise.
bool Symmetry::observe_as_written(const std::set<litmus::LocationId>& changing) {
  const litmus::LitmusTest& test = *layout_.frame.test;
  const std::vector<litmus::Observable> observed = test.observed();
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const auto* named = std::get_if<litmus::LocationId>(&observed[i]);
    const litmus::LocationId location = named == nullptr ? litmus::LocationId{} : physical_location(test, *named);
    if (named == nullptr || !changing.contains(location)) continue;
    locations_.push_back({i, location});
    const litmus::Type type = test[location].type;
    for (EventId id = 0; id < layout_.frame.size(); ++id) {
      const Event& write = layout_.frame.events[id];
      if (!write.is_write() || write.physical != location) continue;
      const Value& value = values_.values()[id];
      if (write.size != litmus::size_in_bytes(type) || wrap(value, type) != value) return false;
    }
  }
  return true;
}

std::uint32_t Symmetry::events_of(std::uint32_t thread) const {
  return static_cast<std::uint32_t>(layout_.paths[thread]->path->events.size());
}

void Symmetry::find_groups(bool same_outcomes) {
  groups_.clear();
  const auto threads = static_cast<std::uint32_t>(layout_.paths.size());
  std::vector<bool> taken(threads);
  for (std::uint32_t a = 0; a < threads; ++a) {
    if (taken[a] || groups_.size() == kMostGroups) continue;
    Group group{{a}, {}};
    const bool observed = std::any_of(registers_.begin(), registers_.end(),
                                      [&](const litmus::ObservedRegister& reg) { return reg.thread.index == a; });
    if (same_outcomes && observed) continue;
    for (std::uint32_t b = a + 1; b < threads && group.threads.size() < kMostThreads; ++b) {
      if (taken[b] || !equal(a, b)) continue;
      taken[b] = true;
      group.threads.push_back(b);
    }
    for (std::uint32_t i = 0; i < events_of(a); ++i) {
      if (layout_.frame.events[event(a, i)].kind == EventKind::write) group.writes.push_back(i);
    }
    if (group.threads.size() > 1 && !group.writes.empty()) groups_.push_back(std::move(group));
  }
}

bool Symmetry::equal(std::uint32_t a, std::uint32_t b) const {
  return equal_code(a, b) && observed_alike(a, b) && equal_places(a, b) && equal_events(a, b);
}

bool Symmetry::equal_code(std::uint32_t a, std::uint32_t b) const {
  const litmus::Thread& one = layout_.frame.test->threads[a];
  const litmus::Thread& other = layout_.frame.test->threads[b];
  if (one.registers != other.registers || one.instructions.size() != other.instructions.size()) return false;
  for (std::size_t i = 0; i < one.instructions.size(); ++i) {
    const litmus::Instruction& wanted = other.instructions[i];
    if (one.instructions[i].guard != wanted.guard) return false;
    if (one.instructions[i].operation == wanted.operation) continue;
    if (!values_move_ || constant_of(one.instructions[i]) == nullptr || constant_of(wanted) == nullptr) return false;
    litmus::Store like = std::get<litmus::Store>(one.instructions[i].operation);
    like.value = *constant_of(wanted);
    if (like != std::get<litmus::Store>(wanted.operation)) return false;
  }
  return true;
}

bool Symmetry::observed_alike(std::uint32_t a, std::uint32_t b) const {
  auto has = [&](std::uint32_t thread, litmus::RegisterId reg) {
    return std::find(registers_.begin(), registers_.end(), litmus::ObservedRegister{litmus::ThreadId{thread}, reg}) !=
           registers_.end();
  };
  return std::all_of(registers_.begin(), registers_.end(), [&](const litmus::ObservedRegister& item) {
    if (item.thread.index == a) return has(b, item.reg);
    return item.thread.index != b || has(a, item.reg);
  });
}

// Every other thread is together with both or with neither.
bool Symmetry::equal_places(std::uint32_t a, std::uint32_t b) const {
  const litmus::ScopeTree& scopes = layout_.frame.scopes;
  for (std::uint32_t other = 0; other < layout_.paths.size(); ++other) {
    if (other == a || other == b) continue;
    for (litmus::Scope scope : litmus::kTreeLevels) {
      const litmus::ThreadId third{other};
      if (scopes.together({a}, third, scope) != scopes.together({b}, third, scope)) return false;
    }
  }
  return true;
}

// The same way through the code, and the same events on it.
bool Symmetry::equal_events(std::uint32_t a, std::uint32_t b) const {
  const SettledPath& one = *layout_.paths[a];
  const SettledPath& other = *layout_.paths[b];
  const std::uint32_t count = events_of(a);
  if (count != events_of(b) || one.path->registers != other.path->registers) return false;
  auto equal_constraint = [](const Constraint& x, const Constraint& y) {
    return x.expression == y.expression && x.value == y.value && x.equal == y.equal;
  };
  if (!std::equal(one.constraints.begin(), one.constraints.end(), other.constraints.begin(), other.constraints.end(),
                  equal_constraint)) {
    return false;
  }
  const Frame& frame = layout_.frame;
  auto facts = [&](std::uint32_t thread, std::uint32_t position) {
    const Event& e = frame.events[event(thread, position)];
    const std::optional<ExprId> value = layout_.paths[thread]->path->events[position].value;
    return std::tuple(e.kind, e.instruction, e.location, e.physical, e.offset, e.type, e.order, e.scope, e.rmw,
                      e.barrier_id, e.barrier_name, e.barrier_quorum, e.late, value);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    if (facts(a, i) != facts(b, i)) return false;
    for (const Relation* relation : {&frame.po, &frame.addr, &frame.data, &frame.ctrl, &frame.arm_ctrl, &frame.rmw,
                                     &frame.pick_addr, &frame.pick_data, &frame.pick_ctrl}) {
      if (relation->events() == 0) continue;
      for (std::uint32_t k = 0; k < count; ++k) {
        if (relation->has(event(a, i), event(a, k)) != relation->has(event(b, i), event(b, k))) return false;
      }
    }
  }
  return true;
}

std::uint64_t Symmetry::size() const {
  std::uint64_t product = 1;
  for (const Group& group : groups_) {
    for (std::uint64_t i = 2; i <= group.threads.size(); ++i) product *= i;
  }
  return product;
}

EventId Symmetry::moved(EventId id, std::uint32_t a, std::uint32_t b) const {
  const std::optional<litmus::ThreadId> thread = layout_.frame.events[id].thread;
  if (!thread || (thread->index != a && thread->index != b)) return id;
  const std::uint32_t to = thread->index == a ? b : a;
  return event(to, id - layout_.first[thread->index]);
}

Symmetry::Ends Symmetry::exchanged(const Ends& ends, std::uint32_t a, std::uint32_t b) const {
  Ends result = ends;
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    litmus::ObservedRegister to = registers_[i];
    if (to.thread.index == a || to.thread.index == b) to.thread.index = to.thread.index == a ? b : a;
    std::size_t at = i;
    if (to != registers_[i]) {
      at = static_cast<std::size_t>(std::find(registers_.begin(), registers_.end(), to) - registers_.begin());
    }
    result[at] = values_move_ ? static_cast<char32_t>(moved(static_cast<EventId>(ends[i]), a, b)) : ends[i];
  }
  for (std::size_t i = registers_.size(); i < ends.size(); ++i) {
    result[i] = static_cast<char32_t>(moved(static_cast<EventId>(ends[i]), a, b));
  }
  return result;
}

// Some write of the value. Those of a value that changes places are one.
EventId Symmetry::write_of(litmus::LocationId location, const Value& value, const std::vector<Value>& values) const {
  auto is_one = [&](EventId id) {
    const Event& one = layout_.frame.events[id];
    return one.is_write() && one.physical == location && values[id] == value;
  };
  EventId id = 0;
  while (!is_one(id)) {
    ++id;
    WEAKSPOT_CHECK(id < values.size());
  }
  return id;
}

void Symmetry::for_each_end(const Candidate& candidate, std::span<const litmus::Outcome> outcomes, Allowance& allowance,
                            const Visit& visit) const {
  Ends first(registers_.size(), 0);
  std::vector<Value> numbered;
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    if (values_move_) {
      const std::uint32_t thread = registers_[i].thread.index;
      const Path& path = *layout_.paths[thread]->path;
      const EventId read = event(thread, *path.expressions.as_read(path.registers[registers_[i].reg.index]));
      for (EventId write = 0; write < candidate.rf->events(); ++write) {
        if (candidate.rf->has(write, read)) first[i] = write;
      }
    } else {
      const Value& value = outcomes.front()[i];
      const auto found = std::find(numbered.begin(), numbered.end(), value);
      first[i] = static_cast<char32_t>(found - numbered.begin());
      if (found == numbered.end()) numbered.push_back(value);
    }
  }
  for (const litmus::Outcome& outcome : outcomes) {
    for (const Observed& item : locations_) {
      first.push_back(static_cast<char32_t>(write_of(item.location, outcome[item.index], *candidate.values)));
    }
  }
  // All that exchanges of neighbours lead to, one after the other.
  struct End {
    const Ends* ends;
    Exchange exchange;
  };
  std::unordered_set<Ends> seen;
  std::vector<End> found;
  Exchange none(layout_.paths.size());
  std::iota(none.begin(), none.end(), 0u);
  const std::size_t each = 2 * sizeof(End) + 8 * sizeof(void*) + sizeof(Ends) + (first.size() + none.size()) * 4;
  found.push_back({&*seen.insert(first).first, std::move(none)});
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (allowance.spend() || !allowance.holds(found.size() * each)) return;
    for (const Group& group : groups_) {
      for (std::size_t k = 1; k < group.threads.size(); ++k) {
        const std::uint32_t a = group.threads[k - 1];
        const std::uint32_t b = group.threads[k];
        const auto [at, fresh] = seen.insert(exchanged(*found[i].ends, a, b));
        if (!fresh) continue;
        Exchange next = found[i].exchange;
        for (std::uint32_t& to : next) to = to == a ? b : to == b ? a : to;
        found.push_back({&*at, std::move(next)});
      }
    }
  }
  // Each of them comes from equally many exchanges.
  const std::uint64_t count = size() / found.size();
  std::vector<litmus::Outcome> changed(outcomes.begin(), outcomes.end());
  for (const End& end : found) {
    if (allowance.spend()) return;
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      const Value& value = values_move_ ? (*candidate.values)[(*end.ends)[i]] : numbered[(*end.ends)[i]];
      for (litmus::Outcome& outcome : changed) outcome[i] = value;
    }
    std::size_t next = registers_.size();
    for (litmus::Outcome& outcome : changed) {
      for (const Observed& item : locations_) outcome[item.index] = (*candidate.values)[(*end.ends)[next++]];
    }
    visit(changed, count, end.exchange);
  }
}

Symmetry::Image Symmetry::image(const Candidate& candidate, const Exchange& exchange) const {
  const std::size_t events = layout_.frame.size();
  std::vector<EventId> to(events);
  for (EventId id = 0; id < events; ++id) {
    const std::optional<litmus::ThreadId> thread = layout_.frame.events[id].thread;
    to[id] = thread ? event(exchange[thread->index], id - layout_.first[thread->index]) : id;
  }
  Image image{Relation(events), Relation(events), *candidate.values};
  candidate.co->for_each([&](EventId a, EventId b) { image.co.insert(to[a], to[b]); });
  candidate.rf->for_each([&](EventId a, EventId b) { image.rf.insert(to[a], to[b]); });
  if (values_move_) {
    image.rf.for_each([&](EventId write, EventId read) { image.values[read] = (*candidate.values)[write]; });
  } else {
    for (EventId id = 0; id < events; ++id) image.values[to[id]] = (*candidate.values)[id];
  }
  return image;
}

}  // namespace weakspot::model

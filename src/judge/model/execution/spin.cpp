// SPDX-License-Identifier: MIT
#include "model/execution/spin.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "litmus/visit.h"

namespace weakspot::model {
namespace {

using litmus::LocationId;
using litmus::Value;

// Adds the condition that both are equal; false if they cannot be.
bool require_equal(Path& path, ExprId before, ExprId now, std::vector<ExprId>& conditions) {
  if (before == now) return true;
  const ExprId equal = path.expressions.compute(litmus::ComputeOp::eq, litmus::Type::s32, before, now);
  if (path.expressions.is_nonsense(equal)) return false;
  if (const Value* known = path.expressions.as_constant(equal)) return *known != Value{};
  conditions.push_back(equal);
  return true;
}

bool is_part(const Reads& part, const Reads& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// The location that the event's address is the whole of, if that is certain.
std::optional<LocationId> place_of(const litmus::LitmusTest& test, litmus::ThreadId thread, const Path& path,
                                   const PathEvent& event) {
  const Value* address = event.address ? path.expressions.as_constant(*event.address) : nullptr;
  if (address == nullptr || !address->base || address->number != 0) return std::nullopt;
  const LocationId physical = litmus::physical_location(test, *address->base);
  const litmus::Type type = litmus::access_of(test[thread].instructions[event.instruction])->type;
  if (litmus::size_in_bytes(type) != litmus::size_in_bytes(test[physical].type)) return std::nullopt;
  return physical;
}

bool covers_all_threads(const litmus::ScopeTree& scopes, std::size_t thread, litmus::Scope scope) {
  for (std::uint32_t other = 0; other < scopes.placements.size(); ++other) {
    const bool together =
        scopes.together(litmus::ThreadId{static_cast<std::uint32_t>(thread)}, litmus::ThreadId{other}, scope);
    if (!together) return false;
  }
  return true;
}

}  // namespace

void SharedAccesses::look() const {
  if (!named_.empty()) return;
  const litmus::LitmusTest& test = test_;
  named_.assign(test.threads.size(), std::vector<bool>(test.locations.size()));
  address_known_.resize(test.locations.size());
  computed_.resize(test.threads.size());
  racy_.resize(test.locations.size());
  auto note_value = [&](const Value& value) {
    if (value.base) address_known_[litmus::physical_location(test, *value.base).index] = true;
  };
  for (const litmus::Location& location : test.locations) {
    note_value(location.initial);
    if (location.alias_of) racy_[litmus::physical_location(test, *location.alias_of).index] = true;
  }
  const litmus::ScopeTree scopes = test.scope_tree();
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const litmus::Register& reg : test.threads[t].registers) note_value(reg.initial);
    for (const litmus::Instruction& instruction : test.threads[t].instructions) {
      litmus::for_each_operand(instruction, [&](const litmus::Operand& operand) {
        if (const auto* value = std::get_if<Value>(&operand)) note_value(*value);
      });
      const litmus::Access* access = litmus::access_of(instruction);
      if (access == nullptr) continue;
      const bool narrow = access->order == litmus::Order::plain || !covers_all_threads(scopes, t, access->scope);
      if (!access->address.location) {
        computed_[t] = true;
        any_computed_plain_ = any_computed_plain_ || narrow;
        continue;
      }
      const std::size_t physical = litmus::physical_location(test, *access->address.location).index;
      named_[t][physical] = true;
      racy_[physical] = racy_[physical] || narrow;
    }
  }
}

bool SharedAccesses::is_private(litmus::ThreadId thread, LocationId location) const {
  look();
  const std::size_t physical = litmus::physical_location(test_, location).index;
  for (std::size_t t = 0; t < named_.size(); ++t) {
    if (t == thread.index) continue;
    if (named_[t][physical] || (computed_[t] && address_known_[physical])) return false;
  }
  return true;
}

bool SharedAccesses::may_race(std::optional<LocationId> location) const {
  look();
  if (!location || any_computed_plain_) return true;
  return racy_[litmus::physical_location(test_, *location).index];
}

Spins::Spins(const litmus::LitmusTest& test, litmus::ThreadId thread, const SharedAccesses& shared)
    : test_(test), id_(thread), thread_(test[thread]), shared_(shared), heads_(thread_.instructions.size()) {
  find_heads();
  if (std::find(heads_.begin(), heads_.end(), true) != heads_.end()) find_live();
}

void Spins::find_heads() {
  std::map<std::string_view, std::size_t> labels;
  targets_.resize(thread_.instructions.size());
  for (std::size_t i = 0; i < thread_.instructions.size(); ++i) {
    const auto* label = std::get_if<litmus::Label>(&thread_.instructions[i].operation);
    if (label != nullptr) labels[label->name] = i;
  }
  for (std::size_t i = 0; i < thread_.instructions.size(); ++i) {
    const auto* branch = std::get_if<litmus::Branch>(&thread_.instructions[i].operation);
    if (branch == nullptr) continue;
    targets_[i] = labels.at(branch->label);
    if (*targets_[i] <= i) heads_[*targets_[i]] = true;
  }
}

// ---- liveness ----

Spins::Live Spins::live_before(std::size_t index, const Live& after) const {
  const litmus::Instruction& instruction = thread_.instructions[index];
  Live live = after;
  const auto* load = std::get_if<litmus::Load>(&instruction.operation);
  const auto* store = std::get_if<litmus::Store>(&instruction.operation);
  if (!instruction.guard) {
    litmus::for_each_written(instruction, [&](litmus::RegisterId reg) { live[reg.index] = false; });
    if (load != nullptr && load->access.tags.has(litmus::Tag::exclusive)) live.back() = false;
  } else {
    live[instruction.guard->predicate.index] = true;
  }
  if (store != nullptr && store->status) live.back() = true;
  litmus::for_each_operand(instruction, [&](const litmus::Operand& operand) {
    if (const auto* reg = std::get_if<litmus::RegisterId>(&operand)) live[reg->index] = true;
  });
  const litmus::Access* access = litmus::access_of(instruction);
  if (access != nullptr && access->address.index) live[access->address.index->index] = true;
  return live;
}

void Spins::find_live() {
  const std::size_t size = thread_.instructions.size();
  Live at_end(thread_.registers.size() + 1);
  for (const litmus::Observable& item : test_.observed()) {
    const auto* reg = std::get_if<litmus::ObservedRegister>(&item);
    if (reg != nullptr && reg->thread == id_) at_end[reg->reg.index] = true;
  }
  live_.assign(size + 1, Live(at_end.size()));
  live_[size] = at_end;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = size; i-- > 0;) {
      Live after(at_end.size());
      auto join = [&](const Live& other) {
        for (std::size_t r = 0; r < after.size(); ++r) after[r] = after[r] || other[r];
      };
      const auto* branch = std::get_if<litmus::Branch>(&thread_.instructions[i].operation);
      const bool always = branch != nullptr && !branch->condition && !thread_.instructions[i].guard;
      if (!always) join(live_[i + 1]);
      if (targets_[i]) join(live_[*targets_[i]]);
      Live before = live_before(i, after);
      if (before == live_[i]) continue;
      live_[i] = std::move(before);
      changed = true;
    }
  }
}

// ---- rounds ----

std::optional<std::vector<ExprId>> Spins::conditions(Path& path, const std::vector<Tracked>& registers,
                                                     const std::optional<std::uint32_t>& reservation, std::size_t head,
                                                     const Visit& visit, bool write_backs) const {
  std::vector<ExprId> conditions;
  const Live& live = live_[head];
  if (live.back() && reservation != visit.reservation) return std::nullopt;
  if (!keeps_registers(path, registers, live, visit, conditions)) return std::nullopt;
  if (!keeps_writes(path, visit, write_backs, conditions)) return std::nullopt;
  return conditions;
}

bool Spins::keeps_registers(Path& path, const std::vector<Tracked>& registers, const Live& live, const Visit& visit,
                            std::vector<ExprId>& conditions) const {
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (!live[i]) continue;
    const Tracked& before = visit.registers[i];
    const Tracked& now = registers[i];
    if (!is_part(before.reads, now.reads) || !is_part(before.picks, now.picks)) return false;
    if (!require_equal(path, before.expression, now.expression, conditions)) return false;
  }
  return true;
}

bool Spins::keeps_writes(Path& path, const Visit& visit, bool write_backs, std::vector<ExprId>& conditions) const {
  std::vector<LocationId> kept;
  for (std::size_t i = visit.events; i < path.events.size(); ++i) {
    const PathEvent event = path.events[i];
    if (event.kind == EventKind::barrier) return false;
    if (event.kind != EventKind::write) continue;
    const std::optional<LocationId> place = place_of(test_, id_, path, event);
    if (!place) return false;
    if (shared_.is_private(id_, *place)) {
      if (std::find(kept.begin(), kept.end(), *place) == kept.end()) kept.push_back(*place);
    } else {
      if (!write_backs || !event.rmw_read || *event.rmw_read < visit.events) return false;
      const litmus::Type type = litmus::access_of(thread_.instructions[event.instruction])->type;
      const ExprId old = path.expressions.read(*event.rmw_read, type);
      if (!require_equal(path, old, *event.value, conditions)) return false;
    }
  }
  return std::all_of(kept.begin(), kept.end(),
                     [&](LocationId location) { return keeps_private(path, visit, location, conditions); });
}

// Whether the last value that the round stores there is the one from before the round. That value must not depend on a
// read, because reads after the round will depend on this store instead.
bool Spins::keeps_private(Path& path, const Visit& visit, LocationId location, std::vector<ExprId>& conditions) const {
  const litmus::Location& declared = test_[location];
  std::optional<ExprId> before, after;
  for (std::size_t i = 0; i < path.events.size(); ++i) {
    const PathEvent& event = path.events[i];
    if (event.kind != EventKind::write) continue;
    const Value* address = path.expressions.as_constant(*event.address);
    if (address == nullptr) return false;
    if (!address->base || litmus::physical_location(test_, *address->base) != location) continue;
    if (!place_of(test_, id_, path, event)) return false;
    if (i < visit.events) {
      if (!event.data.empty() || !event.addr.empty() || !event.pick_data.empty()) return false;
      before = *event.value;
    } else {
      after = *event.value;
    }
  }
  if (!before) before = path.expressions.constant(litmus::wrap(declared.initial, declared.type));
  return require_equal(path, *before, *after, conditions);
}

bool Spins::may_race(const Path& path, const Visit& visit) const {
  for (std::size_t i = visit.events; i < path.events.size(); ++i) {
    const PathEvent& event = path.events[i];
    if (!event.address) continue;
    const std::optional<LocationId> place = place_of(test_, id_, path, event);
    if (place && shared_.is_private(id_, *place)) continue;
    if (shared_.may_race(place)) return true;
  }
  return false;
}

}  // namespace weakspot::model

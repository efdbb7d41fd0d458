// SPDX-License-Identifier: MIT
#include "model/evaluate/plan.h"

#include <algorithm>
#include <span>

#include "base/check.h"
#include "model/execution/orders.h"

namespace weakspot::model {

using kernels::Word;

namespace {

const std::vector<ScheduleItem> kNothing;

// Looking whether an instruction is due takes nearly as long as executing a small one. Models with fewer instructions
// compute everything.
constexpr std::size_t kTrackingPaysOff = 60;

// A fixpoint and what it needs are placed in the order of the schedule.
bool has_fixpoints(std::span<const ScheduleItem> items) {
  return std::any_of(items.begin(), items.end(),
                     [](const ScheduleItem& item) { return item.kind == ScheduleItem::Kind::fixpoint; });
}

}  // namespace

Offset Plan::allocate(bool set) {
  const std::size_t size = set ? w_ : n_ * w_;
  const auto offset = static_cast<Offset>(used_ + kTimes);
  used_ += kTimes + size;
  // Grows by doubling and is kept from frame to frame.
  if (used_ > block_.size()) block_.resize(std::max(used_, 2 * block_.size()));
  computed(offset) = 0;
  changed(offset) = 1;
  kernels::fill_zero(block_.data() + offset, size);
  return offset;
}

std::size_t Plan::most_bytes() const {
  std::size_t relations = 2 + choices.size();
  for (NodeId node = 0; node < graph_->size(); ++node) {
    if (!graph_->is_set(node)) relations += is_variable((*graph_)[node].op) ? 2 : 1;
  }
  return relations * n_ * w_ * sizeof(Word);
}

// A step is worth counting where a relation has many words. Elsewhere the search counts candidates.
bool Plan::give_up() { return w_ > 2 && allowance_->spend(1 + n_ * w_ / 1024); }

void Plan::prepare(const cat::Built& built, const Schedule& schedule, const Frame& frame, Allowance& allowance,
                   bool flags) {
  built_ = &built;
  graph_ = &built.graph;
  schedule_ = &schedule;
  frame_ = &frame;
  allowance_ = &allowance;
  n_ = frame.size();
  w_ = kernels::words_for(n_);
  used_ = 0;
  now_ = 1;
  scratch_.resize(n_ * w_);
  rf_ = co_ = kNowhere;
  places_.assign(graph_->size(), {});
  by_node_.resize(graph_->size());
  listed_.assign(graph_->size(), kNoList);
  lists_.clear();
  watched_.clear();
  fixpoints_.clear();
  fixpoint_of_group_.assign(graph_->fixpoint_count(), 0);
  choices.assign(built.choices.size(), {});
  instructions.clear();
  sections.clear();
  // A small frame need not be weighed.
  const bool small = allowance.memory() == 0 ||
                     (2 + choices.size() + 2 * graph_->size()) * n_ * w_ * sizeof(Word) <= allowance.memory();
  if (!small && !allowance.holds(most_bytes())) return;
  nothing_ = allocate(false);
  computed(nothing_) = kForever;
  allocate(true);  // so that the empty set has a place even without events
  list_ = kAll;
  place_sections(std::span(schedule.all).first(flags ? schedule.all.size() : schedule.flags));
  list_ = kCut;
  place_part(schedule.cut, cut);
  list_ = kLack;
  place_part(schedule.lack, lack);
  list_ = kOrder;
  const bool any_order = built.ordered && !choices.front().factors.empty();
  place_part(any_order ? schedule.order : kNothing, order);
  tracks_ = instructions.size() + cut.instructions.size() >= kTrackingPaysOff;
}

PlanSection Plan::check_section(std::uint32_t check, NodeId node, std::uint32_t begin, std::uint32_t end) const {
  PlanSection section;
  section.begin = begin;
  section.end = end;
  section.index = check;
  section.value = places_[node].offset;
  section.words = static_cast<std::uint32_t>(words((*graph_)[node].op));
  return section;
}

// Nodes are placed on demand, when a check needs them, so that operands of empty values are never computed. Nodes
// scheduled before a choice are placed before it, because everything after it is computed once for every choice.
void Plan::place_sections(std::span<const ScheduleItem> items) {
  const bool eager = has_fixpoints(items);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ScheduleItem& item = items[i];
    if (allowance_->used_up()) return;
    if (item.kind == ScheduleItem::Kind::node || item.kind == ScheduleItem::Kind::fixpoint) {
      if (eager) place_item(item, instructions);
      continue;
    }
    const cat::Step& step = built_->steps[item.index];
    if (item.kind == ScheduleItem::Kind::check) {
      demand(step.node, instructions);
      const auto end = static_cast<std::uint32_t>(instructions.size());
      sections.push_back(check_section(step.index, step.node, begin, end));
      begin = end;
      continue;
    }
    place_choice(step.index);
    const PlanChoice& choice = choices[step.index];
    if (!choice.factors.empty() || !choice.alternatives.empty()) {
      for (const ScheduleItem& before : items.first(i)) {
        if (before.kind == ScheduleItem::Kind::node) demand(before.index, instructions);
      }
    }
    const auto end = static_cast<std::uint32_t>(instructions.size());
    sections.push_back({.begin = begin, .end = end, .kind = item.kind, .index = step.index});
    begin = end;
  }
}

void Plan::place_choice(std::uint32_t index) {
  const cat::Choice& choice = built_->choices[index];
  PlanChoice& plan = choices[index];
  for (const cat::OrderFactor& factor : choice.factors) {
    demand(factor.set, instructions);
    if (places_[factor.set].empty) continue;
    demand(factor.contains, instructions);
    plan.factors.push_back({places_[factor.set].offset, places_[factor.contains].offset, factor.per_location});
  }
  for (NodeId alternative : choice.alternatives) {
    demand(alternative, instructions);
    plan.alternatives.push_back(places_[alternative].offset);
  }
  plan.to = allocate(false);
}

// Instructions that depend on the candidate are listed again.
void Plan::place_part(const std::vector<ScheduleItem>& items, Part& part) {
  part.instructions.clear();
  part.sections.clear();
  const bool eager = has_fixpoints(items);
  std::uint32_t begin = 0;
  for (const ScheduleItem& item : items) {
    if (allowance_->used_up()) return;
    if (item.kind != ScheduleItem::Kind::node && item.kind != ScheduleItem::Kind::fixpoint) {
      const cat::Step& step = built_->steps[item.index];
      const bool whole = item.kind == ScheduleItem::Kind::check;
      const NodeId checked = whole ? step.node : item.kind == ScheduleItem::Kind::bound ? step.below : step.ordered;
      if (!eager) demand(checked, part.instructions);
      const auto end = static_cast<std::uint32_t>(part.instructions.size());
      part.sections.push_back(check_section(step.index, checked, begin, end));
      begin = end;
      continue;
    }
    if (eager) place_item(item, part.instructions);
  }
}

// Places the node and what it needs, or lists it again for another list.
void Plan::demand(NodeId id, std::vector<PlanInstruction>& out) {
  const Node& node = (*graph_)[id];
  if (places_[id].offset == kNowhere) {
    if (demand_operands(node, out)) {
      place_node(id, out);
    } else {
      places_[id] = {nothing_, true, true};
    }
    return;
  }
  // Nodes that do not depend on the order are computed before it is chosen.
  const bool outside = list_ == kOrder && node.level < kFirstChoice;
  if (places_[id].known || listed_[id] == list_ || outside) return;
  listed_[id] = list_;
  graph_->for_each_operand(node, [&](NodeId operand) { demand(operand, out); });
  if (by_node_[id].to != kNowhere) out.push_back(by_node_[id]);
}

// False if some operand is empty and makes the result empty; others may then have no place.
bool Plan::demand_operands(const Node& node, std::vector<PlanInstruction>& out) {
  auto filled = [&](NodeId operand) {
    if (operand == kNoNode) return true;
    demand(operand, out);
    return !places_[operand].empty;
  };
  switch (node.op) {
    case Op::restriction:  // sets first: they are cheap
      return filled(node.b) && filled(node.c) && filled(node.a);
    case Op::intersect:
    case Op::intersect_sets: {
      const std::span<const NodeId> operands = graph_->operands(node);
      return std::all_of(operands.begin(), operands.end(), filled);
    }
    case Op::subtract:
    case Op::subtract_sets:
      if (!filled(node.a)) return false;
      demand(node.b, out);
      return true;
    case Op::sequence:
    case Op::product:
    case Op::domain:
    case Op::range:
    case Op::inverse:
    case Op::closure:
    case Op::identity_on:
    case Op::different_values:
      return filled(node.a) && filled(node.b);
    default:
      graph_->for_each_operand(node, [&](NodeId operand) { demand(operand, out); });
      return true;
  }
}

void Plan::place_item(const ScheduleItem& item, std::vector<PlanInstruction>& out) {
  const bool single = item.kind == ScheduleItem::Kind::node;
  WEAKSPOT_CHECK(single || item.kind == ScheduleItem::Kind::fixpoint);
  const NodeId node = single ? item.index : graph_->fixpoint(item.index).variables.front();
  if (places_[node].offset != kNowhere) {
    if (!places_[node].known && by_node_[node].to != kNowhere) out.push_back(by_node_[node]);
  } else if (single) {
    place_node(node, out);
  } else {
    place_fixpoint(item.index, out);
  }
}

void Plan::emit(NodeId id, PlanInstruction instruction, bool known, std::vector<PlanInstruction>& out) {
  Place& place = places_[id];
  const Op op = (*graph_)[id].op;
  place.offset = allocate(is_set(op));
  instruction.op = op;
  instruction.to = place.offset;
  if (!known) {
    watch_operands(instruction);
    by_node_[id] = instruction;
    out.push_back(instruction);
    return;
  }
  execute(instruction);
  if (give_up()) return;
  place.known = true;
  computed(place.offset) = kForever;
  place.empty = kernels::is_zero(at(place.offset), words(op));
  if (place.empty) place.offset = nothing_;
}

// Whether an empty operand makes the result empty.
bool Plan::becomes_empty(const Node& node) const {
  auto empty = [&](NodeId id) { return id != kNoNode && places_[id].empty; };
  switch (node.op) {
    case Op::subtract_sets:
    case Op::subtract:
    case Op::domain:
    case Op::range:
    case Op::inverse:
    case Op::closure:
    case Op::identity_on:
    case Op::different_values:
      return empty(node.a);
    case Op::sequence:
    case Op::product:
      return empty(node.a) || empty(node.b);
    case Op::restriction:
      return empty(node.a) || empty(node.b) || empty(node.c);
    default:
      return false;
  }
}

void Plan::place_node(NodeId id, std::vector<PlanInstruction>& out) {
  const Node& node = (*graph_)[id];
  Place& place = places_[id];
  by_node_[id].to = kNowhere;
  listed_[id] = list_;
  switch (node.op) {
    case Op::empty_set:
    case Op::empty_relation:
      place = {nothing_, true, true};
      return;
    case Op::reads_from:
      place.offset = rf_ = allocate(false);
      return;
    case Op::coherence:
      place.offset = co_ = allocate(false);
      return;
    case Op::choice: {
      const PlanChoice& choice = choices[node.a];
      const bool none = choice.factors.empty() && choice.alternatives.empty();
      place = none ? Place{nothing_, true, true} : Place{choice.to, false, false};
      return;
    }
    case Op::choice_most: {
      PlanChoice& choice = choices[node.a];
      if (choice.factors.empty()) {
        place = {nothing_, true, true};
      } else {
        choice.most = allocate(false);
        choice.all = allocate(false);
        for (const std::vector<EventId>& part : ordered_sets(choice)) {
          for (EventId a : part) {
            for (EventId b : part) {
              if (a != b) kernels::set(at(choice.all) + a * w_, b);
            }
          }
        }
        place = {choice.most, false, false};
      }
      return;
    }
    case Op::unite_sets:
    case Op::intersect_sets:
    case Op::unite:
    case Op::intersect:
      return place_list(node, id, out);
    case Op::all:
    case Op::base_set:
    case Op::constant_set:
    case Op::identity:
    case Op::universe:
    case Op::base_relation:
    case Op::constant_relation: {
      PlanInstruction instruction;
      instruction.a = node.a;
      return emit(id, instruction, true, out);
    }
    default:
      break;
  }
  if (becomes_empty(node)) {
    place = {nothing_, true, true};
    return;
  }
  if ((node.op == Op::subtract || node.op == Op::subtract_sets) && places_[node.b].empty) {
    place = places_[node.a];
    return;
  }
  bool known = node.op != Op::different_values;
  graph_->for_each_operand(node, [&](NodeId operand) { known = known && places_[operand].known; });
  PlanInstruction instruction;
  instruction.a = places_[node.a].offset;
  if (node.b != kNoNode) instruction.b = places_[node.b].offset;
  if (node.c != kNoNode) instruction.c = places_[node.c].offset;
  emit(id, instruction, known, out);
}

void Plan::place_list(const Node& node, NodeId id, std::vector<PlanInstruction>& out) {
  const bool unites = node.op == Op::unite || node.op == Op::unite_sets;
  PlanInstruction instruction;
  instruction.first = static_cast<std::uint32_t>(lists_.size());
  bool known = true;
  NodeId last = kNoNode;
  for (NodeId operand : graph_->operands(node)) {
    const Place& from = places_[operand];
    if (from.empty && !unites) {
      lists_.resize(instruction.first);
      places_[id] = {nothing_, true, true};
      return;
    }
    if (from.empty) continue;
    known = known && from.known;
    last = operand;
    lists_.push_back(from.offset);
  }
  instruction.count = static_cast<std::uint32_t>(lists_.size()) - instruction.first;
  if (instruction.count == 0) {
    places_[id] = {nothing_, true, true};
  } else if (instruction.count == 1) {
    lists_.resize(instruction.first);
    places_[id] = places_[last];
  } else {
    emit(id, instruction, known, out);
  }
}

void Plan::place_fixpoint(std::uint32_t group, std::vector<PlanInstruction>& out) {
  const Fixpoint& fixpoint = graph_->fixpoint(group);
  // Values that the frame determines are computed now. A fixpoint inside another is never known.
  const bool known = (*graph_)[fixpoint.variables.front()].level <= kFrame &&
                     std::none_of(fixpoint.definitions.begin(), fixpoint.definitions.end(),
                                  [&](NodeId definition) { return (*graph_)[definition].level > kFrame; });
  PlanFixpoint plan;
  plan.monotone = fixpoint.monotone;
  for (NodeId variable : fixpoint.variables) {
    const bool set = graph_->is_set(variable);
    places_[variable] = {allocate(set), false, false};
    by_node_[variable].to = kNowhere;
    listed_[variable] = list_;
  }
  for (std::size_t i = 0; i < fixpoint.variables.size(); ++i) {
    for (const ScheduleItem& item : schedule_->inside[group][i]) place_item(item, plan.inside);
    const bool set = graph_->is_set(fixpoint.variables[i]);
    plan.variables.push_back({places_[fixpoint.variables[i]].offset, places_[fixpoint.definitions[i]].offset,
                              static_cast<std::uint32_t>(set ? w_ : n_ * w_),
                              static_cast<std::uint32_t>(plan.inside.size())});
  }
  PlanInstruction instruction;
  instruction.fixpoint = true;
  instruction.a = static_cast<Offset>(fixpoints_.size());
  list_inputs(plan);
  fixpoints_.push_back(std::move(plan));
  const bool alone = &out == &instructions;
  if (known && alone) {
    execute(instruction);
    for (NodeId variable : fixpoint.variables) {
      Place& place = places_[variable];
      place.known = true;
      place.empty = kernels::is_zero(at(place.offset), words((*graph_)[variable].op));
    }
    // The nodes inside are known as well.
    for (const std::vector<ScheduleItem>& definition : schedule_->inside[group]) {
      for (const ScheduleItem& item : definition) {
        if (item.kind == ScheduleItem::Kind::node) places_[item.index].known = true;
      }
    }
    return;
  }
  by_node_[fixpoint.variables.front()] = instruction;
  out.push_back(instruction);
}

std::vector<std::vector<EventId>> Plan::ordered_sets(const PlanChoice& choice) const {
  std::vector<std::vector<EventId>> parts;
  for (const PlanChoice::Factor& factor : choice.factors) {
    EventSet set(n_);
    kernels::copy(set.words(), at(factor.set), w_);
    const std::vector<EventSet> classes = factor.per_location ? by_location(set, *frame_) : std::vector{set};
    for (const EventSet& events : classes) {
      std::vector<EventId>& part = parts.emplace_back();
      events.for_each([&](EventId event) { part.push_back(event); });
    }
  }
  return parts;
}

}  // namespace weakspot::model

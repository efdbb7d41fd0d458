// SPDX-License-Identifier: MIT
#include "model/evaluate/node_values.h"

#include <algorithm>

#include "base/check.h"
#include "model/cat/predefined.h"

namespace weakspot::model {

const EventSet& NodeValues::set_at(const Graph& graph, NodeId node) {
  if (const auto found = sets_.find(node); found != sets_.end() && !allowance_.used_up()) return found->second;
  require(graph, node);
  return allowance_.used_up() ? no_events_ : sets_.at(node);
}

const Relation& NodeValues::relation_at(const Graph& graph, NodeId node) {
  if (const auto found = relations_.find(node); found != relations_.end() && !allowance_.used_up())
    return found->second;
  require(graph, node);
  return allowance_.used_up() ? nothing_ : relations_.at(node);
}

namespace {

// The nodes that the definitions of a fixpoint need and that depend on its variables. Others that depend on them use
// the fixpoint from outside, and may be waiting for it.
std::vector<bool> recursive_inside(const Graph& graph, std::uint32_t group) {
  const std::vector<bool> reaching = graph.reaching(group);
  std::vector<bool> inside(reaching.size());
  std::vector<NodeId> open = graph.fixpoint(group).definitions;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (id >= inside.size() || inside[id] || !reaching[id]) continue;
    inside[id] = true;
    const Node& node = graph[id];
    graph.for_each_operand(node, [&](NodeId operand) { open.push_back(operand); });
    if (!is_variable(node.op) || node.a == group) continue;
    const std::vector<NodeId>& nested = graph.fixpoint(node.a).definitions;
    open.insert(open.end(), nested.begin(), nested.end());
  }
  return inside;
}

}  // namespace

EventSet NodeValues::set(const Graph& graph, NodeId node) { return set_at(graph, node); }
Relation NodeValues::relation(const Graph& graph, NodeId node) { return relation_at(graph, node); }

void NodeValues::require(const Graph& graph, NodeId target) {
  // The first time a node is seen its operands are pushed; the second time it is computed.
  std::vector<std::pair<NodeId, bool>> stack{{target, false}};
  while (!stack.empty() && !allowance_.used_up()) {
    const auto [node, ready] = stack.back();
    stack.pop_back();
    if (known(graph, node)) continue;
    if (ready) {
      compute(graph, node);
      continue;
    }
    stack.emplace_back(node, true);
    graph.for_each_operand(graph[node], [&](NodeId operand) { stack.emplace_back(operand, false); });
  }
}

void NodeValues::compute(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (is_variable(node.op)) return compute_fixpoint(graph, node.a);
  if (graph.is_set(id)) {
    sets_[id] = compute_set(graph, node);
  } else {
    Relation& relation = relations_[id] = compute_relation(graph, node);
    held_ += relation.word_count() * sizeof(std::uint64_t);
    if (allowance_.holds(held_)) allowance_.spend(1 + relation.word_count() / 1024);
  }
}

void NodeValues::forget(const Graph& graph, std::uint32_t group, const std::vector<bool>& inside) {
  for (NodeId id = graph.fixpoint(group).variables.front(); id < inside.size(); ++id) {
    const bool own_variable = is_variable(graph[id].op) && graph[id].a == group;
    if (!inside[id] || own_variable) continue;
    sets_.erase(id);
    if (const auto found = relations_.find(id); found != relations_.end()) {
      held_ -= std::min(held_, found->second.word_count() * sizeof(std::uint64_t));
      relations_.erase(found);
    }
  }
}

// Gives the variable the value of its definition; whether that adds nothing to the variable.
bool NodeValues::assign(const Graph& graph, NodeId variable, NodeId definition) {
  if (graph.is_set(definition)) {
    EventSet added = sets_.at(definition);
    const bool stable = (added -= sets_.at(variable)).empty();
    sets_[variable] = sets_.at(definition);
    return stable;
  }
  Relation added = relations_.at(definition);
  const bool stable = (added -= relations_.at(variable)).empty();
  relations_[variable] = relations_.at(definition);
  return stable;
}

void NodeValues::compute_fixpoint(const Graph& graph, std::uint32_t group) {
  const Fixpoint& fixpoint = graph.fixpoint(group);
  const std::vector<bool> inside = recursive_inside(graph, group);
  const std::size_t n = frame_.size();
  for (NodeId variable : fixpoint.variables) {
    if (graph.is_set(variable)) {
      sets_[variable] = EventSet(n);
    } else {
      relations_[variable] = Relation(n);
    }
  }
  // Round after round the definitions are computed in their order, each from the values that those before it have just
  // got, until nothing is added. A monotone one settles within these rounds; another may never do.
  const std::size_t rounds = n * n * fixpoint.variables.size() + 2;
  bool stable = false;
  for (std::size_t round = 0; round < rounds && !stable; ++round) {
    stable = true;
    for (std::size_t i = 0; i < fixpoint.variables.size(); ++i) {
      if (i == 0 || !fixpoint.monotone) forget(graph, group, inside);
      require(graph, fixpoint.definitions[i]);
      if (allowance_.used_up()) return;
      stable = assign(graph, fixpoint.variables[i], fixpoint.definitions[i]) && stable;
    }
  }
  if (!stable) return allowance_.unsettled();
  // Other users of the nodes inside expect them to follow from the final values.
  if (!fixpoint.monotone) forget(graph, group, inside);
}

EventSet NodeValues::compute_set(const Graph& graph, const Node& node) {
  const std::size_t n = frame_.size();
  EventSet result(n);
  switch (node.op) {
    case Op::all:
      return EventSet::all(n);
    case Op::base_set:
      fill_predefined_set(node.a, frame_, result.words());
      return result;
    case Op::constant_set:
      return graph.constant_set_at(node.a);
    case Op::unite_sets:
      for (NodeId operand : graph.operands(node)) result |= sets_.at(operand);
      return result;
    case Op::intersect_sets:
      result = EventSet::all(n);
      for (NodeId operand : graph.operands(node)) result &= sets_.at(operand);
      return result;
    case Op::subtract_sets:
      result = sets_.at(node.a);
      return result -= sets_.at(node.b);
    case Op::complement_set:
      return sets_.at(node.a).complement();
    case Op::domain:
      return relations_.at(node.a).domain();
    case Op::range:
      return relations_.at(node.a).range();
    default:
      return result;
  }
}

Relation NodeValues::compute_relation(const Graph& graph, const Node& node) {
  const std::size_t n = frame_.size();
  Relation result(n);
  switch (node.op) {
    case Op::identity:
      return Relation::identity(EventSet::all(n));
    case Op::universe:
      return Relation::product(EventSet::all(n), EventSet::all(n));
    case Op::base_relation:
      fill_predefined_relation(node.a, frame_, result.words(), &allowance_);
      return result;
    case Op::constant_relation:
      return graph.constant_relation_at(node.a);
    case Op::reads_from:
      WEAKSPOT_CHECK(candidate_ != nullptr);
      return *candidate_->rf;
    case Op::coherence:
      WEAKSPOT_CHECK(candidate_ != nullptr);
      return *candidate_->co;
    case Op::choice:
      return node.a < choices_.size() ? choices_[node.a] : result;
    case Op::unite:
      for (NodeId operand : graph.operands(node)) result |= relations_.at(operand);
      return result;
    case Op::intersect:
      result.assign_complement(result);
      for (NodeId operand : graph.operands(node)) result &= relations_.at(operand);
      return result;
    case Op::subtract:
      result = relations_.at(node.a);
      return result -= relations_.at(node.b);
    case Op::complement:
      result.assign_complement(relations_.at(node.a));
      return result;
    case Op::inverse:
      result.assign_inverse(relations_.at(node.a));
      return result;
    case Op::sequence:
      result.assign_composition(relations_.at(node.a), relations_.at(node.b), &allowance_);
      return result;
    case Op::closure:
    case Op::star:
      result = relations_.at(node.a);
      result.close(node.op == Op::star, &allowance_);
      return result;
    case Op::identity_on:
      return Relation::identity(sets_.at(node.a));
    case Op::product:
      return Relation::product(sets_.at(node.a), sets_.at(node.b));
    case Op::restriction:
      result = relations_.at(node.a);
      if (node.b != kNoNode) result.restrict_domain(sets_.at(node.b));
      if (node.c != kNoNode) result.restrict_range(sets_.at(node.c));
      return result;
    case Op::different_values:
      WEAKSPOT_CHECK(candidate_ != nullptr);
      relations_.at(node.a).for_each([&](EventId a, EventId b) {
        if (candidate_->values == nullptr || (*candidate_->values)[a] != (*candidate_->values)[b]) result.insert(a, b);
      });
      return result;
    default:
      return result;
  }
}

}  // namespace weakspot::model

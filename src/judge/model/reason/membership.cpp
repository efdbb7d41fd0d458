// SPDX-License-Identifier: MIT
#include "model/reason/membership.h"

#include <algorithm>

namespace weakspot::model {

Membership::Fixed& Membership::fixed(std::uint32_t group) {
  const auto [at, fresh] = fixed_.try_emplace(group);
  if (fresh) {
    at->second.recursive = graph_.reaching(group);
    number_stages(group, at->second);
  }
  return at->second;
}

// Round by round: a pair belongs to the first round in which the definition has it by what the rounds before gave.
void Membership::number_stages(std::uint32_t group, Fixed& fixed) {
  const Fixpoint& fixpoint = graph_.fixpoint(group);
  const auto n = static_cast<EventId>(events());
  for (NodeId variable : fixpoint.variables) fixed.stages[variable].assign(n * n, Stage::kFinal);
  if (!fixpoint.monotone) return;
  bool added = true;
  for (std::uint32_t round = 1; added && !values_.allowance().used_up(); ++round) {
    added = false;
    for (std::size_t i = 0; i < fixpoint.variables.size(); ++i) {
      const NodeId variable = fixpoint.variables[i];
      const NodeId definition = fixpoint.definitions[i];
      const bool set = graph_.is_set(variable);
      std::vector<std::uint32_t>& stages = fixed.stages[variable];
      for (EventId a = 0; a < n; ++a) {
        for (EventId b = set ? a : 0; b < (set ? a + 1 : n); ++b) {
          if (stages[a * n + b] != Stage::kFinal || values_.allowance().spend()) continue;
          const bool in_value =
              set ? values_.set_at(graph_, variable).has(a) : values_.relation_at(graph_, variable).has(a, b);
          const Stage before{group, round};
          if (in_value && (set ? has(definition, a, before) : has(definition, a, b, before))) {
            stages[a * n + b] = round;
            added = true;
          }
        }
      }
    }
  }
}

std::uint32_t Membership::stage_of(NodeId variable, EventId from, EventId to) {
  return fixed(graph_[variable].a).stages.at(variable)[from * events() + to];
}

bool Membership::depends(NodeId node, Stage stage) {
  if (stage.number == Stage::kFinal) return false;
  const std::vector<bool>& recursive = fixed_.at(stage.group).recursive;
  return node < recursive.size() && recursive[node];
}

bool Membership::has(NodeId id, EventId event, Stage stage) {
  if (!depends(id, stage)) return values_.set_at(graph_, id).has(event);
  const Node& node = graph_[id];
  const auto n = static_cast<EventId>(events());
  switch (node.op) {
    case Op::set_variable:
      if (node.a != stage.group) break;
      return fixed_.at(stage.group).stages.at(id)[event * n + event] < stage.number;
    case Op::unite_sets:
    case Op::intersect_sets: {
      const auto operands = graph_.operands(node);
      auto in = [&](NodeId operand) { return has(operand, event, stage); };
      return node.op == Op::unite_sets ? std::any_of(operands.begin(), operands.end(), in)
                                       : std::all_of(operands.begin(), operands.end(), in);
    }
    case Op::subtract_sets:
      return has(node.a, event, stage) && !has(node.b, event, stage);
    case Op::domain:
    case Op::range:
      for (EventId other = 0; other < n; ++other) {
        if (node.op == Op::domain ? has(node.a, event, other, stage) : has(node.a, other, event, stage)) return true;
      }
      return false;
    default:
      break;
  }
  return values_.set_at(graph_, id).has(event);
}

bool Membership::has_path(NodeId relation, EventId from, EventId to, Stage stage) {
  std::vector<bool> seen(events());
  std::vector<EventId> open{from};
  while (!open.empty() && !values_.allowance().spend()) {
    const EventId at = open.back();
    open.pop_back();
    for (EventId next = 0; next < events(); ++next) {
      if (seen[next] || !has(relation, at, next, stage)) continue;
      if (next == to) return true;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return false;
}

bool Membership::has(NodeId id, EventId from, EventId to, Stage stage) {
  if (!depends(id, stage)) return values_.relation_at(graph_, id).has(from, to);
  const Node& node = graph_[id];
  switch (node.op) {
    case Op::variable:
      if (node.a != stage.group) break;
      return fixed_.at(stage.group).stages.at(id)[from * events() + to] < stage.number;
    case Op::unite:
    case Op::intersect: {
      const auto operands = graph_.operands(node);
      auto in = [&](NodeId operand) { return has(operand, from, to, stage); };
      return node.op == Op::unite ? std::any_of(operands.begin(), operands.end(), in)
                                  : std::all_of(operands.begin(), operands.end(), in);
    }
    case Op::subtract:
      return has(node.a, from, to, stage) && !has(node.b, from, to, stage);
    case Op::inverse:
      return has(node.a, to, from, stage);
    case Op::sequence:
      for (EventId middle = 0; middle < events(); ++middle) {
        if (has(node.a, from, middle, stage) && has(node.b, middle, to, stage)) return true;
      }
      return false;
    case Op::closure:
    case Op::star:
      return (node.op == Op::star && from == to) || has_path(node.a, from, to, stage);
    case Op::identity_on:
      return from == to && has(node.a, from, stage);
    case Op::product:
      return has(node.a, from, stage) && has(node.b, to, stage);
    default:
      break;
  }
  return values_.relation_at(graph_, id).has(from, to);
}

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
#include "model/relation/graph.h"

#include <algorithm>
#include <optional>

#include "base/check.h"

namespace weakspot::model {

std::size_t Graph::KeyHash::operator()(const std::vector<std::uint32_t>& key) const {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (std::uint32_t word : key) hash = (hash ^ word) * 0x100000001B3 + (hash >> 29);
  return hash;
}

bool Nodes::is_leaf(Op op) {
  switch (op) {
    case Op::empty_set:
    case Op::all:
    case Op::base_set:
    case Op::constant_set:
    case Op::set_variable:
    case Op::empty_relation:
    case Op::identity:
    case Op::universe:
    case Op::base_relation:
    case Op::constant_relation:
    case Op::reads_from:
    case Op::coherence:
    case Op::choice:
    case Op::choice_most:
    case Op::variable:
      return true;
    default:
      return false;
  }
}

Graph::Graph(Form form) : form_(form) {
  for (Op op : {Op::empty_set, Op::all, Op::empty_relation, Op::identity, Op::universe}) make(op, kNoNode);
}

void Graph::set_properties(Node& node) const {
  switch (node.op) {
    case Op::empty_set:
    case Op::all:
    case Op::empty_relation:
    case Op::identity:
    case Op::universe:
      return;
    case Op::base_set:
    case Op::base_relation:
    case Op::constant_set:
    case Op::constant_relation:
      node.level = kFrame;
      return;
    case Op::reads_from:
      node.level = kCandidate;
      node.shrinks = kAllInputs & ~kReadsFrom;
      return;
    case Op::coherence:
      node.level = kCandidate;
      node.shrinks = kAllInputs & ~kCoherence;
      return;
    case Op::choice:
      node.level = kFirstChoice + node.a;
      node.shrinks = kAllInputs & ~kChoices;
      return;
    case Op::choice_most:
      node.level = kFirstChoice + node.a;
      node.grows = kAllInputs & ~kChoices;
      return;
    case Op::set_variable:
    case Op::variable:
      return;  // close_fixpoint() sets them
    default:
      break;
  }
  node.level = kFrame;
  node.grows = node.shrinks = kAllInputs;
  for_each_operand(node, [&](NodeId id) {
    const Node& operand = nodes_[id];
    const bool against = node.op == Op::complement || node.op == Op::complement_set ||
                         ((node.op == Op::subtract || node.op == Op::subtract_sets) && id == node.b);
    node.level = std::max(node.level, operand.level);
    node.grows &= against ? operand.shrinks : operand.grows;
    node.shrinks &= against ? operand.grows : operand.shrinks;
  });
  if (node.op == Op::different_values) {
    node.level = std::max(node.level, kCandidate);
    // The effect of more rf on values is not known.
    node.grows &= kVariables;
    node.shrinks &= kVariables;
  }
}

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c, std::vector<NodeId> operands) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(op), a, b, c};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [at, fresh] = known_.emplace(std::move(key), static_cast<NodeId>(nodes_.size()));
  if (!fresh) return at->second;
  Node node;
  node.op = op;
  node.a = a;
  node.b = b;
  node.c = c;
  node.first = static_cast<std::uint32_t>(operands_.size());
  node.count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  set_properties(node);
  nodes_.push_back(node);
  return at->second;
}

NodeId Graph::base_set(std::uint32_t index) { return make(Op::base_set, index); }
NodeId Graph::base_relation(std::uint32_t index) { return make(Op::base_relation, index); }
NodeId Graph::reads_from() { return make(Op::reads_from, kNoNode); }
NodeId Graph::coherence() { return make(Op::coherence, kNoNode); }
NodeId Graph::choice(std::uint32_t index) { return make(Op::choice, index); }
NodeId Graph::choice_most(std::uint32_t index) { return make(Op::choice_most, index); }

NodeId Graph::constant(EventSet set) {
  if (set.empty()) return empty_set();
  constant_sets_.push_back(std::move(set));
  return make(Op::constant_set, static_cast<NodeId>(constant_sets_.size() - 1));
}

NodeId Graph::constant(Relation relation) {
  if (relation.empty()) return empty_relation();
  constant_relations_.push_back(std::move(relation));
  return make(Op::constant_relation, static_cast<NodeId>(constant_relations_.size() - 1));
}

// Operands that are known sooner are joined first, so that this is not repeated for every candidate or choice.
NodeId Graph::by_level(Op op, std::vector<NodeId> operands) {
  std::sort(operands.begin(), operands.end(), [&](NodeId x, NodeId y) {
    return nodes_[x].level != nodes_[y].level ? nodes_[x].level < nodes_[y].level : x < y;
  });
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  std::vector<NodeId> group;
  for (std::size_t i = 0; i < operands.size();) {
    const Level level = std::max(nodes_[operands[i]].level, kFrame);
    while (i < operands.size() && std::max(nodes_[operands[i]].level, kFrame) == level) group.push_back(operands[i++]);
    if (group.size() > 1) group = {make(op, kNoNode, kNoNode, kNoNode, group)};
  }
  return group.front();
}

// `neutral` changes nothing as an operand.
NodeId Graph::list_as_written(Op op, std::vector<NodeId> operands, NodeId neutral) {
  std::erase(operands, neutral);
  if (operands.empty()) return neutral;
  return operands.size() == 1 ? operands.front() : make(op, kNoNode, kNoNode, kNoNode, std::move(operands));
}

NodeId Graph::unite(std::vector<NodeId> operands) {
  WEAKSPOT_CHECK(!operands.empty());
  const bool sets = is_set(operands.front());
  const Op op = sets ? Op::unite_sets : Op::unite;
  if (form_ == Form::as_written) {
    return list_as_written(op, std::move(operands), sets ? empty_set() : empty_relation());
  }
  std::vector<NodeId> flat;
  while (!operands.empty()) {
    const NodeId id = operands.back();
    operands.pop_back();
    const Node& node = nodes_[id];
    if (is_empty(id)) continue;
    if (id == all() || id == universe()) return id;
    if (node.op == op) {
      const std::span<const NodeId> inner = this->operands(node);
      operands.insert(operands.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(id);
    }
  }
  if (flat.empty()) return sets ? empty_set() : empty_relation();
  return by_level(op, std::move(flat));
}

NodeId Graph::intersect(std::vector<NodeId> operands) {
  WEAKSPOT_CHECK(!operands.empty());
  const bool sets = is_set(operands.front());
  const Op op = sets ? Op::intersect_sets : Op::intersect;
  if (form_ == Form::as_written) {
    const auto nothing = std::find_if(operands.begin(), operands.end(), [&](NodeId id) { return is_empty(id); });
    if (nothing != operands.end()) return *nothing;
    return list_as_written(op, std::move(operands), sets ? all() : universe());
  }
  std::vector<NodeId> flat;
  std::vector<NodeId> from;
  std::vector<NodeId> to;
  std::vector<NodeId> excluded;
  while (!operands.empty()) {
    const NodeId id = operands.back();
    operands.pop_back();
    const Node node = nodes_[id];
    if (is_empty(id)) return id;
    if (id == all() || id == universe()) continue;
    if (node.op == op) {
      const std::span<const NodeId> inner = this->operands(node);
      operands.insert(operands.end(), inner.begin(), inner.end());
    } else if (node.op == Op::product) {
      from.push_back(node.a);
      to.push_back(node.b);
    } else if (node.op == Op::restriction) {
      operands.push_back(node.a);
      if (node.b != kNoNode) from.push_back(node.b);
      if (node.c != kNoNode) to.push_back(node.c);
    } else if (node.op == Op::complement || node.op == Op::complement_set) {
      excluded.push_back(node.a);
    } else {
      flat.push_back(id);
    }
  }
  NodeId result = flat.empty() ? (sets ? all() : universe()) : by_level(op, std::move(flat));
  if (!from.empty() || !to.empty()) {
    result = restriction(result, from.empty() ? kNoNode : intersect(from), to.empty() ? kNoNode : intersect(to));
  }
  if (!excluded.empty()) result = subtract(result, unite(excluded));
  return result;
}

NodeId Graph::subtract(NodeId a, NodeId b) {
  const bool sets = is_set(a);
  if (is_empty(a) || is_empty(b)) return a;
  if (a == b || b == all() || b == universe()) return sets ? empty_set() : empty_relation();
  if (a == all() || a == universe()) return complement(b);
  return make(sets ? Op::subtract_sets : Op::subtract, a, b);
}

NodeId Graph::complement(NodeId a) {
  if (a == empty_set()) return all();
  if (a == all()) return empty_set();
  if (a == empty_relation()) return universe();
  if (a == universe()) return empty_relation();
  const Node& node = nodes_[a];
  if (node.op == Op::complement || node.op == Op::complement_set) return node.a;
  return make(is_set(a) ? Op::complement_set : Op::complement, a);
}

NodeId Graph::inverse(NodeId a) {
  const Node node = nodes_[a];
  if (node.op == Op::product) return product(node.b, node.a);
  if (node.op == Op::inverse) return node.a;
  if (a == empty_relation() || a == identity() || a == universe() || node.op == Op::identity_on) return a;
  return make(Op::inverse, a);
}

NodeId Graph::compose(NodeId a, NodeId b) {
  if (is_empty(a) || is_empty(b)) return empty_relation();
  return make(Op::sequence, a, b);
}

NodeId Graph::sequence(const std::vector<NodeId>& operands) {
  if (form_ == Form::as_written) {
    NodeId result = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) result = compose(result, operands[i]);
    return result;
  }
  // The sequence as relations with sets between them; kNoNode stands for any event.
  std::vector<NodeId> relations;
  std::vector<NodeId> between{kNoNode};
  for (NodeId id : operands) {
    if (id == identity()) continue;
    const Node node = nodes_[id];
    if (node.op == Op::identity_on) {
      NodeId& set = between.back();
      set = set == kNoNode ? node.a : intersect({set, node.a});
    } else if (node.op == Op::restriction && node.a != universe()) {
      NodeId& left = between.back();
      if (node.b != kNoNode) left = left == kNoNode ? node.b : intersect({left, node.b});
      relations.push_back(node.a);
      between.push_back(node.c);
    } else {
      relations.push_back(id);
      between.push_back(kNoNode);
    }
  }
  for (NodeId set : between) {
    if (set == empty_set()) return empty_relation();
  }
  if (relations.empty()) return between.front() == kNoNode ? identity() : identity_on(between.front());
  for (std::size_t i = 0; i < relations.size(); ++i) {
    relations[i] = restriction(relations[i], i == 0 ? between[0] : kNoNode, between[i + 1]);
  }
  // Neighbours that are known sooner are composed first.
  while (relations.size() > 1) {
    std::size_t best = 0;
    Level lowest = ~Level{0};
    for (std::size_t i = 0; i + 1 < relations.size(); ++i) {
      const Level level = std::max(nodes_[relations[i]].level, nodes_[relations[i + 1]].level);
      if (level < lowest) {
        lowest = level;
        best = i;
      }
    }
    relations[best] = compose(relations[best], relations[best + 1]);
    relations.erase(relations.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  return relations.front();
}

NodeId Graph::closure(NodeId a) {
  const Node& node = nodes_[a];
  if (is_empty(a) || a == identity() || a == universe()) return a;
  if (node.op == Op::closure || node.op == Op::star || node.op == Op::identity_on) return a;
  // Coherence is transitive in every candidate, and in every partial candidate of the search. Where orders may be
  // partial, the search also asks about coherence with too many pairs, and a closure would hide the answer.
  if (node.op == Op::coherence) return a;
  return make(Op::closure, a);
}

NodeId Graph::star(NodeId a) {
  const Node node = nodes_[a];
  if (is_empty(a) || a == identity() || node.op == Op::identity_on) return identity();
  if (a == universe() || node.op == Op::star) return a;
  if (node.op == Op::closure) return make(Op::star, node.a);
  return make(Op::star, a);
}

NodeId Graph::identity_on(NodeId set) {
  if (set == empty_set()) return empty_relation();
  if (set == all()) return identity();
  return make(Op::identity_on, set);
}

NodeId Graph::product(NodeId from, NodeId to) {
  if (from == empty_set() || to == empty_set()) return empty_relation();
  if (from == all() && to == all()) return universe();
  return make(Op::product, from, to);
}

NodeId Graph::restriction(NodeId relation, NodeId from, NodeId to) {
  if (from == all()) from = kNoNode;
  if (to == all()) to = kNoNode;
  if (is_empty(relation) || from == empty_set() || to == empty_set()) return empty_relation();
  if (from == kNoNode && to == kNoNode) return relation;
  const Node node = nodes_[relation];
  if (relation == universe()) return product(from == kNoNode ? all() : from, to == kNoNode ? all() : to);
  auto both = [&](NodeId x, NodeId y) {
    if (x == kNoNode || y == kNoNode) return x == kNoNode ? y : x;
    return intersect({x, y});
  };
  if (relation == identity()) return identity_on(both(from, to));
  if (node.op == Op::identity_on) return identity_on(both(node.a, both(from, to)));
  if (node.op == Op::product) return product(both(node.a, from), both(node.b, to));
  if (node.op == Op::restriction) return restriction(node.a, both(node.b, from), both(node.c, to));
  return make(Op::restriction, relation, from, to);
}

NodeId Graph::domain(NodeId relation) {
  if (relation == empty_relation()) return empty_set();
  if (relation == identity() || relation == universe()) return all();
  if (nodes_[relation].op == Op::identity_on) return nodes_[relation].a;
  return make(Op::domain, relation);
}

NodeId Graph::range(NodeId relation) {
  if (relation == empty_relation()) return empty_set();
  if (relation == identity() || relation == universe()) return all();
  if (nodes_[relation].op == Op::identity_on) return nodes_[relation].a;
  if (nodes_[relation].op == Op::reads_from && reads_ != kNoNode) return reads_;
  return make(Op::range, relation);
}

NodeId Graph::different_values(NodeId relation) {
  return is_empty(relation) ? relation : make(Op::different_values, relation);
}

std::uint32_t Graph::open_fixpoint(const std::vector<bool>& sets) {
  const auto group = static_cast<std::uint32_t>(fixpoints_.size());
  Fixpoint fixpoint;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    fixpoint.variables.push_back(make(sets[i] ? Op::set_variable : Op::variable, group, static_cast<std::uint32_t>(i)));
    nodes_.back().level = kFrame;
    // Until the fixpoint is closed its variables count as independent of the inputs. The definitions then say how they
    // depend on the inputs with the variables held still, and that decides how the fixpoint does.
    nodes_.back().grows = kAllInputs;
    nodes_.back().shrinks = kAllInputs & ~kVariables;
  }
  fixpoints_.push_back(std::move(fixpoint));
  ++open_fixpoints_;
  return group;
}

std::vector<bool> Nodes::reaching(std::uint32_t group) const {
  // Nodes refer to older nodes only, except through variables. Those of fixpoints inside this one, which were opened
  // later, are followed to their definitions; that may take several rounds.
  std::vector<bool> result(nodes_.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId id = fixpoints_[group].variables.front(); id < nodes_.size(); ++id) {
      if (result[id]) continue;
      const Node& node = nodes_[id];
      bool found = is_variable(node.op) && node.a == group;
      for_each_operand(node, [&](NodeId operand) { found = found || result[operand]; });
      if (is_variable(node.op) && node.a > group) {
        for (NodeId definition : fixpoints_[node.a].definitions) found = found || result[definition];
      }
      result[id] = found;
      changed = changed || found;
    }
  }
  return result;
}

std::vector<NodeId> Graph::close_fixpoint(std::uint32_t group, std::vector<NodeId> definitions) {
  --open_fixpoints_;
  Fixpoint& fixpoint = fixpoints_[group];
  const NodeId oldest = fixpoint.variables.front();
  const std::vector<bool> recursive = reaching(group);
  std::vector<NodeId> values = fixpoint.variables;
  // Not recursive after all, or the transitive closure in disguise: r = x | r;r.
  if (definitions.size() == 1) {
    const NodeId variable = fixpoint.variables.front();
    const Node definition = nodes_[definitions.front()];
    if (!recursive[definitions.front()]) return definitions;
    if (definition.op == Op::unite) {
      std::vector<NodeId> rest;
      bool is_closure = true;
      std::vector<NodeId> terms(operands(definition).begin(), operands(definition).end());
      for (std::size_t i = 0; i < terms.size(); ++i) {
        const Node& term = nodes_[terms[i]];
        if (!recursive[terms[i]]) {
          rest.push_back(terms[i]);
        } else if (term.op == Op::unite) {
          terms.insert(terms.end(), operands(term).begin(), operands(term).end());
        } else if (!(term.op == Op::sequence && term.a == variable && term.b == variable)) {
          is_closure = false;
        }
      }
      if (is_closure) return {rest.empty() ? empty_relation() : closure(unite(rest))};
    }
  }
  fixpoint.definitions = std::move(definitions);
  Level level = kFrame;
  Inputs grows = kAllInputs;
  Inputs shrinks = kAllInputs;
  for (NodeId definition : fixpoint.definitions) {
    level = std::max(level, nodes_[definition].level);
    grows &= nodes_[definition].grows;
    shrinks &= nodes_[definition].shrinks;
  }
  fixpoint.monotone = (grows & kVariables) != 0;
  if (!fixpoint.monotone) grows = shrinks = level <= kFrame ? kAllInputs : 0;
  // Outside all fixpoints there are no variables to depend on.
  if (open_fixpoints_ == 0) {
    grows |= kVariables;
    shrinks |= kVariables;
  }
  for (NodeId variable : fixpoint.variables) {
    nodes_[variable].level = level;
    nodes_[variable].grows = grows;
    nodes_[variable].shrinks = shrinks;
  }
  for (NodeId id = oldest; id < nodes_.size(); ++id) set_properties(nodes_[id]);
  return values;
}

}  // namespace weakspot::model

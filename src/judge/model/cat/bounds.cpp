// SPDX-License-Identifier: MIT
#include "model/cat/bounds.h"

#include <algorithm>
#include <unordered_map>

#include "model/cat/predefined.h"

namespace weakspot::model {
namespace {

// Whether the choice is one order of events that the frame determines.
bool is_order_of_frame(const Graph& graph, const cat::Choice& choice) {
  return choice.alternatives.empty() &&
         std::all_of(choice.factors.begin(), choice.factors.end(),
                     [&](const auto& factor) { return graph[factor.set].level <= kFrame; });
}

class Bounds {
 public:
  // `chosen` are the inputs that are still being chosen.
  Bounds(cat::Built& built, Inputs chosen) : built_(built), graph_(built.graph), chosen_(chosen) {}

  // Evaluated on the choices so far, it is contained in the final value of the node.
  NodeId below(NodeId id) { return bound(id, false); }
  // Evaluated on the choices so far, it contains the final value of the node.
  NodeId above(NodeId id) { return bound(id, true); }

 private:
  NodeId bound(NodeId id, bool above) {
    const Node& node = graph_[id];
    const Inputs towards = above ? node.shrinks : node.grows;
    if (node.level <= kFrame || (towards & chosen_) == chosen_) return id;
    if (chosen_ == kChoices && node.level < kFirstChoice) return id;
    auto& known = above ? above_ : below_;
    const auto found = known.find(id);
    if (found != known.end()) return found->second;
    const NodeId made = make(id, above);
    known.emplace(id, made);
    return made;
  }

  NodeId nothing(NodeId like) const { return graph_.is_set(like) ? graph_.empty_set() : graph_.empty_relation(); }
  NodeId everything(NodeId like) const { return graph_.is_set(like) ? graph_.all() : graph_.universe(); }

  NodeId make(NodeId id, bool above) {
    const Node node = graph_[id];  // a copy: making nodes moves them
    auto same = [&](NodeId operand) { return bound(operand, above); };
    auto other = [&](NodeId operand) { return bound(operand, !above); };
    switch (node.op) {
      case Op::reads_from:
        return all_sources();
      case Op::coherence:
        return all_orders();
      case Op::choice:
        return is_order_of_frame(built_.graph, built_.choices[node.a]) ? graph_.choice_most(node.a) : graph_.universe();
      case Op::unite:
      case Op::unite_sets:
      case Op::intersect:
      case Op::intersect_sets: {
        const std::span<const NodeId> span = graph_.operands(node);
        std::vector<NodeId> operands(span.begin(), span.end());
        for (NodeId& operand : operands) operand = same(operand);
        const bool unites = node.op == Op::unite || node.op == Op::unite_sets;
        return unites ? graph_.unite(operands) : graph_.intersect(operands);
      }
      case Op::subtract:
      case Op::subtract_sets: {
        const NodeId from = same(node.a);
        return graph_.subtract(from, other(node.b));
      }
      case Op::complement:
      case Op::complement_set:
        return graph_.complement(other(node.a));
      case Op::inverse:
        return graph_.inverse(same(node.a));
      case Op::sequence: {
        const NodeId first = same(node.a);
        return graph_.sequence({first, same(node.b)});
      }
      case Op::closure:
        return graph_.closure(same(node.a));
      case Op::star:
        return graph_.star(same(node.a));
      case Op::identity_on:
        return graph_.identity_on(same(node.a));
      case Op::product: {
        const NodeId from = same(node.a);
        return graph_.product(from, same(node.b));
      }
      case Op::restriction: {
        const NodeId relation = same(node.a);
        const NodeId from = node.b == kNoNode ? kNoNode : same(node.b);
        return graph_.restriction(relation, from, node.c == kNoNode ? kNoNode : same(node.c));
      }
      case Op::domain:
        return graph_.domain(same(node.a));
      case Op::range:
        return graph_.range(same(node.a));
      default:
        // Fixpoints, and what depends on values.
        return above ? everything(id) : nothing(id);
    }
  }

  NodeId set(std::string_view name) { return graph_.base_set(predefined_index(name)); }
  NodeId same_location() { return graph_.base_relation(predefined_index("loc")); }

  // With the accesses to locks, which W and R leave out.
  NodeId all_sources() { return graph_.restriction(same_location(), set("every-write"), set("every-read")); }

  NodeId all_orders() {
    const NodeId later = graph_.subtract(set("every-write"), set("IW"));
    return graph_.subtract(graph_.restriction(same_location(), set("every-write"), later), graph_.identity());
  }

  cat::Built& built_;
  Graph& graph_;
  Inputs chosen_;
  std::unordered_map<NodeId, NodeId> below_, above_;
};

void add_partial_bounds(cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  Bounds bounds(built, kReadsFrom | kCoherence | kChoices);
  for (cat::Step& step : built.steps) {
    if (step.kind != cat::Step::Kind::check) continue;
    const Check& check = checks[step.index].check;
    const Node& node = built.graph[step.node];
    if (check.flag || check.negated || node.level < kCandidate) continue;
    // The search itself handles checks that only become worse, and checks that want more coherence.
    constexpr Inputs kOthers = kReadsFrom | kChoices;
    const bool one_way = ((node.grows | node.shrinks) & kCoherence) != 0;
    if ((node.grows & kOthers) == kOthers && one_way) continue;
    const NodeId below = bounds.below(step.node);
    if (built.graph[below].level >= kCandidate) step.below = below;
  }
}

// Flags are those of the first order that passes, so a flag that depends on the order needs them one by one, unless
// nothing can raise it in the frame.
void add_order_bounds(cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  if (built.choices.size() != 1 || !is_order_of_frame(built.graph, built.choices.front())) return;
  Bounds bounds(built, kChoices);
  for (cat::Step& step : built.steps) {
    if (step.kind != cat::Step::Kind::check || built.graph[step.node].level < kFirstChoice) continue;
    const Check& check = checks[step.index].check;
    const bool better = check.negated && (built.graph[step.node].shrinks & kChoices) == 0;
    if (check.flag) {
      built.flags_by_order.push_back(step.node);
      continue;
    }
    if (better) return;
    step.ordered = check.negated ? step.node : bounds.below(step.node);
  }
  built.ordered = true;
}

}  // namespace

void add_bounds(cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  add_partial_bounds(built, checks);
  add_order_bounds(built, checks);
}

}  // namespace weakspot::model

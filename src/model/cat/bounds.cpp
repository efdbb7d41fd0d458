// SPDX-License-Identifier: MIT
#include "model/cat/bounds.h"

#include <unordered_map>

#include "model/cat/predefined.h"

namespace weakspot::model {
namespace {

constexpr Inputs kChosen = kReadsFrom | kCoherence | kChoices;

class Bounds {
 public:
  explicit Bounds(Graph& graph) : graph_(graph) {}

  // Evaluated on the choices so far, it is contained in the final value of the node.
  NodeId below(NodeId id) { return bound(id, false); }
  // Evaluated on the choices so far, it contains the final value of the node.
  NodeId above(NodeId id) { return bound(id, true); }

 private:
  NodeId bound(NodeId id, bool above) {
    const Node& node = graph_[id];
    const Inputs towards = above ? node.shrinks : node.grows;
    if (node.level <= kFrame || (towards & kChosen) == kChosen) return id;
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
        // Choices, fixpoints, and what depends on values.
        return above ? everything(id) : nothing(id);
    }
  }

  NodeId set(std::string_view name) { return graph_.base_set(predefined_index(name)); }
  NodeId same_location() { return graph_.base_relation(predefined_index("loc")); }

  NodeId all_sources() { return graph_.restriction(same_location(), set("W"), set("R")); }

  NodeId all_orders() {
    const NodeId later = graph_.subtract(set("W"), set("IW"));
    return graph_.subtract(graph_.restriction(same_location(), set("W"), later), graph_.identity());
  }

  Graph& graph_;
  std::unordered_map<NodeId, NodeId> below_, above_;
};

}  // namespace

void add_bounds(cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  Bounds bounds(built.graph);
  for (cat::Step& step : built.steps) {
    if (step.kind != cat::Step::Kind::check) continue;
    const cat::Check& check = checks[step.index].check;
    const Node& node = built.graph[step.node];
    if (check.flag || check.negated || node.level < kCandidate) continue;
    // The search itself handles checks that only become worse, and checks that want more coherence.
    constexpr Inputs kOthers = kReadsFrom | kChoices;
    const bool one_way = ((node.grows | node.shrinks) & kCoherence) != 0;
    if ((node.grows & kOthers) == kOthers && one_way) continue;
    const NodeId below = bounds.below(step.node);
    if (built.graph[below].level == kCandidate) step.below = below;
  }
}

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// The values of a graph's nodes, computed one by one with the operations of Relation. This is the obvious way, used for
// explanations, for models that take sets apart while they are built, and as the oracle of the fast way (plan.h).
#pragma once

#include <optional>
#include <unordered_map>

#include "model/cat/cat_interpreter.h"

namespace weakspot::model {

class NodeValues : public cat::KnownNodes {
 public:
  // Without a candidate, only nodes that depend on the frame alone are known. `choices` are the values of Op::choice.
  // When the allowance is used up, values are empty and mean nothing.
  NodeValues(const Frame& frame, const Candidate* candidate, Allowance& allowance, std::vector<Relation> choices = {})
      : frame_(frame), candidate_(candidate), allowance_(allowance), choices_(std::move(choices)) {}

  Level level() const override { return candidate_ == nullptr ? kFrame : kCandidate; }
  EventSet set(const Graph& graph, NodeId node) override;
  Relation relation(const Graph& graph, NodeId node) override;
  // The same without a copy; valid until the values are gone.
  const EventSet& set_at(const Graph& graph, NodeId node);
  const Relation& relation_at(const Graph& graph, NodeId node);
  const Frame& frame() const override { return frame_; }
  Allowance& allowance() override { return allowance_; }

 private:
  // Computes everything `node` needs, then the node.
  void require(const Graph& graph, NodeId node);
  void compute(const Graph& graph, NodeId node);
  void compute_fixpoint(const Graph& graph, std::uint32_t group);
  // Forgets the nodes inside a fixpoint, except its variables.
  void forget(const Graph& graph, std::uint32_t group, const std::vector<bool>& inside);
  bool assign(const Graph& graph, NodeId variable, NodeId definition);
  EventSet compute_set(const Graph& graph, const Node& node);
  Relation compute_relation(const Graph& graph, const Node& node);
  bool known(const Graph& graph, NodeId node) const {
    return graph.is_set(node) ? sets_.contains(node) : relations_.contains(node);
  }

  const Frame& frame_;
  const Candidate* candidate_;
  Allowance& allowance_;
  std::size_t held_ = 0;  // bytes of relations that were computed
  std::vector<Relation> choices_;
  const EventSet no_events_{frame_.size()};
  const Relation nothing_{frame_.size()};
  std::unordered_map<NodeId, EventSet> sets_;
  std::unordered_map<NodeId, Relation> relations_;
};

}  // namespace weakspot::model

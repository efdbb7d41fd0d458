// SPDX-License-Identifier: MIT
// Whether an event or a pair is in a node's value, also while a fixpoint is only partly computed: a chain through a
// recursive definition must lead to earlier and earlier stages of it, or it would never end.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/evaluate/node_values.h"

namespace weakspot::model {

// A stage of one fixpoint: its variables hold only what was added before. kFinal: their values.
struct Stage {
  std::uint32_t group = 0;
  std::uint32_t number = kFinal;

  static constexpr std::uint32_t kFinal = ~std::uint32_t{0};
};

class Membership {
 public:
  Membership(const Graph& graph, NodeValues& values) : graph_(graph), values_(values) {}

  bool has(NodeId set, EventId event, Stage stage = {});
  bool has(NodeId relation, EventId from, EventId to, Stage stage = {});
  // The stage at which a variable of a fixpoint got the pair (the event twice for a set); kFinal if that is not known.
  std::uint32_t stage_of(NodeId variable, EventId from, EventId to);

  std::size_t events() const { return values_.frame().size(); }

 private:
  struct Fixed {
    std::vector<bool> recursive;                                    // by node
    std::unordered_map<NodeId, std::vector<std::uint32_t>> stages;  // by variable: of each pair
  };

  bool depends(NodeId node, Stage stage);
  Fixed& fixed(std::uint32_t group);
  void number_stages(std::uint32_t group, Fixed& fixed);
  bool has_path(NodeId relation, EventId from, EventId to, Stage stage);

  const Graph& graph_;
  NodeValues& values_;
  std::unordered_map<std::uint32_t, Fixed> fixed_;
};

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// What a model computes, as a graph of operations on sets and relations. Equal operations share one node, so that a
// relation used by ten checks is computed once. Operations are simplified as they are made: compositions with an empty
// relation vanish, `[A]; r; [B]` becomes a restriction, operands that do not change within a frame are kept together.
//
// Explanations need the operations as the model's text has them: Form::as_written keeps to it.
//
// Fixpoints: open_fixpoint() makes variables, their definitions are built like anything else, close_fixpoint() ties the
// knot. Outside the definitions, a variable's node stands for the least fixpoint.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/relation/relation.h"

namespace weakspot::model {

using NodeId = std::uint32_t;

enum class Op : std::uint8_t {
  empty_set,
  all,
  base_set,      // a = Predefined::index
  constant_set,  // a = index of the constant
  unite_sets,    // operands
  intersect_sets,
  subtract_sets,   // a \ b
  complement_set,  // a
  domain,          // a
  range,           // a
  set_variable,    // a variable of a fixpoint; a = group, b = index in it
  empty_relation,  // from here on relations: see is_set()
  identity,
  universe,
  base_relation,
  constant_relation,
  reads_from,
  coherence,
  choice,       // a = which `with`
  choice_most,  // a = which `with`: all pairs that its order may still come to have
  unite,        // operands
  intersect,
  subtract,
  complement,
  inverse,
  sequence,  // a ; b
  closure,
  star,
  identity_on,  // set a
  product,      // set a, set b
  restriction,  // relation a to set b on the left and set c on the right (kNoNode: any)
  different_values,
  variable,
};

inline bool is_set(Op op) { return op < Op::empty_relation; }
inline bool is_variable(Op op) { return op == Op::variable || op == Op::set_variable; }

inline constexpr NodeId kNoNode = ~NodeId{0};

// The knowledge needed before a node can be computed. Choices are numbered from kFirstChoice.
using Level = std::uint32_t;
inline constexpr Level kConstant = 0;
inline constexpr Level kFrame = 1;
inline constexpr Level kCandidate = 2;
inline constexpr Level kFirstChoice = 3;

// The inputs that can vary while the frame stays the same, as bits. A node that `grows` with an input can only become
// larger when the input does, one that `shrinks` only smaller; a node that does not depend on the input does both.
// Choices are those of `with`, variables those of a fixpoint that is being built.
using Inputs = std::uint8_t;
inline constexpr Inputs kReadsFrom = 1;
inline constexpr Inputs kCoherence = 2;
inline constexpr Inputs kChoices = 4;
inline constexpr Inputs kVariables = 8;
inline constexpr Inputs kAllInputs = 15;

struct Node {
  Op op = Op::empty_set;
  Inputs grows = kAllInputs;
  Inputs shrinks = kAllInputs;
  Level level = kConstant;
  NodeId a = kNoNode, b = kNoNode, c = kNoNode;
  std::uint32_t first = 0, count = 0;  // operands of unite and intersect
};

struct Fixpoint {
  std::vector<NodeId> variables;
  std::vector<NodeId> definitions;
  bool monotone = true;  // the definitions grow with the variables
};

// The nodes of a graph, for those who read it.
class Nodes {
 public:
  std::size_t size() const { return nodes_.size(); }
  std::size_t operand_count() const { return operands_.size(); }  // the sum over all nodes
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::span<const NodeId> operands(const Node& node) const { return {operands_.data() + node.first, node.count}; }
  template <typename Visit>
  void for_each_operand(const Node& node, Visit&& visit) const {
    if (is_leaf(node.op)) return;
    for (NodeId operand : {node.a, node.b, node.c}) {
      if (operand != kNoNode) visit(operand);
    }
    for (NodeId operand : operands(node)) visit(operand);
  }
  static bool is_leaf(Op op);
  const Fixpoint& fixpoint(std::uint32_t group) const { return fixpoints_[group]; }
  std::size_t fixpoint_count() const { return fixpoints_.size(); }
  const EventSet& constant_set_at(std::uint32_t index) const { return constant_sets_[index]; }
  const Relation& constant_relation_at(std::uint32_t index) const { return constant_relations_[index]; }

  NodeId empty_set() const { return 0; }
  NodeId all() const { return 1; }
  NodeId empty_relation() const { return 2; }
  NodeId identity() const { return 3; }
  NodeId universe() const { return 4; }
  bool is_empty(NodeId id) const { return id == empty_set() || id == empty_relation(); }
  bool is_set(NodeId id) const { return model::is_set(nodes_[id].op); }

  // By node: whether it depends on a variable of the group.
  std::vector<bool> reaching(std::uint32_t group) const;

 protected:
  std::vector<Node> nodes_;
  std::vector<NodeId> operands_;
  std::vector<EventSet> constant_sets_;
  std::vector<Relation> constant_relations_;
  std::vector<Fixpoint> fixpoints_;
};

// Makes nodes, each only once.
class Graph : public Nodes {
 public:
  enum class Form : std::uint8_t { simplified, as_written };
  explicit Graph(Form form = Form::simplified);

  Form form() const { return form_; }

  NodeId base_set(std::uint32_t index);
  NodeId base_relation(std::uint32_t index);
  NodeId constant(EventSet set);
  NodeId constant(Relation relation);
  NodeId reads_from();
  NodeId coherence();
  NodeId choice(std::uint32_t index);
  NodeId choice_most(std::uint32_t index);

  // On two or more operands of one kind.
  NodeId unite(std::vector<NodeId> operands);
  NodeId intersect(std::vector<NodeId> operands);
  NodeId subtract(NodeId a, NodeId b);
  NodeId complement(NodeId a);
  NodeId inverse(NodeId a);
  NodeId sequence(const std::vector<NodeId>& operands);
  NodeId closure(NodeId a);
  NodeId star(NodeId a);
  NodeId optional(NodeId a) { return unite({a, identity()}); }
  NodeId identity_on(NodeId set);
  NodeId product(NodeId from, NodeId to);
  NodeId restriction(NodeId relation, NodeId from, NodeId to);  // sets, or kNoNode
  NodeId domain(NodeId relation);
  NodeId range(NodeId relation);
  NodeId different_values(NodeId relation);

  // One variable per entry of `sets`, which says whether it is a set.
  std::uint32_t open_fixpoint(const std::vector<bool>& sets);
  // The values of the variables, in order.
  std::vector<NodeId> close_fixpoint(std::uint32_t group, std::vector<NodeId> definitions);

  // The set of all reads, which is what rf reaches in a complete candidate. With it `range(rf)` does not depend on the
  // candidate.
  void set_reads(NodeId reads) { reads_ = reads; }

 private:
  NodeId make(Op op, NodeId a, NodeId b = kNoNode, NodeId c = kNoNode, std::vector<NodeId> operands = {});
  void set_properties(Node& node) const;
  NodeId by_level(Op op, std::vector<NodeId> operands);
  NodeId compose(NodeId a, NodeId b);
  NodeId list_as_written(Op op, std::vector<NodeId> operands, NodeId neutral);

  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };
  Form form_;
  std::unordered_map<std::vector<std::uint32_t>, NodeId, KeyHash> known_;
  std::size_t open_fixpoints_ = 0;
  NodeId reads_ = kNoNode;
};

}  // namespace weakspot::model

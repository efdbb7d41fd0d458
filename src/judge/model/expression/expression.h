// SPDX-License-Identifier: MIT
// Values that are not known yet: what a thread computes from the values its reads will return.
//
// Expressions of one path live in one pool and refer to each other by index; the leaves are constants and the path's
// reads, by their position among the path's events. A part that does not depend on a read is folded when it is built,
// and so are the idioms that make a dependency without a value (r ^ r, r - r, r & 0): they are constants here, while
// the dependency is tracked beside the expression (see path.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "litmus/meaning.h"
#include "litmus/operators.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::model {

using ExprId = std::uint32_t;

class ExpressionPool {
 public:
  ExprId constant(const litmus::Value& value);
  ExprId read(std::uint32_t event, litmus::Type type);
  ExprId compute(litmus::ComputeOp op, litmus::Type type, ExprId left, ExprId right);
  ExprId modify(litmus::RmwOp op, litmus::Type type, ExprId old, ExprId operand);
  ExprId convert(litmus::Type type, ExprId value) { return compute(litmus::ComputeOp::mov, type, value, value); }

  std::size_t held() const { return nodes_.size() * sizeof(Node); }  // bytes
  // The value of a constant; null for other expressions.
  const litmus::Value* as_constant(ExprId id) const;
  // The position of the read if the expression is the value of one.
  std::optional<std::uint32_t> as_read(ExprId id) const {
    return nodes_[id].kind == Kind::read ? std::optional(nodes_[id].left) : std::nullopt;
  }
  litmus::Type type_of(ExprId id) const { return nodes_[id].type; }
  // True for an expression with a part that is meaningless for all values of the reads (arithmetic on addresses).
  bool is_nonsense(ExprId id) const { return nodes_[id].kind == Kind::nonsense; }

  // The positions, sorted, of the reads that the expression depends on.
  std::vector<std::uint32_t> leaves(ExprId id) const;

  // The value, given those of the reads: `value_of(event)` is called for leaves only. None if it has no meaning.
  template <typename ValueOf>
  std::optional<litmus::Value> evaluate(ExprId id, const ValueOf& value_of) const {
    if (nodes_[id].tree_size > kSmallTree) return evaluate_shared(id, value_of);
    return evaluate_tree(id, value_of);
  }

 private:
  enum class Kind : std::uint8_t { constant, read, compute, modify, nonsense };
  struct Node {
    Kind kind = Kind::constant;
    litmus::ComputeOp compute = litmus::ComputeOp::mov;
    litmus::RmwOp modify = litmus::RmwOp::exch;
    litmus::Type type = litmus::Type::s64;  // the result's type
    std::uint32_t left = 0;                 // the event, for reads
    std::uint32_t right = 0;
    std::uint32_t tree_size = 1;  // nodes of the tree, where shared parts count each time; saturates
    litmus::Value value;
  };
  static constexpr std::uint32_t kSmallTree = 64;

  template <typename ValueOf>
  std::optional<litmus::Value> evaluate_tree(ExprId id, const ValueOf& value_of) const {
    const Node& node = nodes_[id];
    if (node.kind == Kind::constant) return node.value;
    if (node.kind == Kind::read) return litmus::wrap(value_of(node.left), node.type);
    if (node.kind == Kind::nonsense) return std::nullopt;
    const std::optional<litmus::Value> left = evaluate_tree(node.left, value_of);
    const std::optional<litmus::Value> right = node.left == node.right ? left : evaluate_tree(node.right, value_of);
    if (!left || !right) return std::nullopt;
    return apply(node, *left, *right);
  }

  // Every part once, in the order they were built: operands come before their users.
  template <typename ValueOf>
  std::optional<litmus::Value> evaluate_shared(ExprId id, const ValueOf& value_of) const {
    std::vector<bool> needed(id + 1);
    needed[id] = true;
    for (ExprId i = id + 1; i-- > 0;) {
      if (!needed[i] || !is_inner(nodes_[i])) continue;
      needed[nodes_[i].left] = needed[nodes_[i].right] = true;
    }
    std::vector<std::optional<litmus::Value>> values(id + 1);
    for (ExprId i = 0; i <= id; ++i) {
      if (!needed[i]) continue;
      const Node& node = nodes_[i];
      if (!is_inner(node)) {
        values[i] = evaluate_tree(i, value_of);
      } else if (values[node.left] && values[node.right]) {
        values[i] = apply(node, *values[node.left], *values[node.right]);
      }
    }
    return values[id];
  }

  static bool is_inner(const Node& node) { return node.kind == Kind::compute || node.kind == Kind::modify; }
  static std::optional<litmus::Value> apply(const Node& node, const litmus::Value& left, const litmus::Value& right);
  ExprId add(Node node);
  void add_leaves(ExprId id, std::vector<std::uint32_t>& events) const;
  ExprId folded(const std::optional<litmus::Value>& value);

  std::vector<Node> nodes_;
};

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
#include "model/expression/expression.h"

#include <algorithm>

#include "base/sort.h"
#include "litmus/meaning.h"

namespace weakspot::model {

using litmus::ComputeOp;
using litmus::RmwOp;
using litmus::Type;
using litmus::Value;

ExprId ExpressionPool::add(Node node) {
  if (is_inner(node)) {
    const std::uint32_t parts = nodes_[node.left].tree_size + nodes_[node.right].tree_size;
    node.tree_size = std::min(parts + 1, kSmallTree + 1);
  }
  if (nodes_.empty()) nodes_.reserve(16);  // most paths have no more
  nodes_.push_back(node);
  return static_cast<ExprId>(nodes_.size() - 1);
}

ExprId ExpressionPool::folded(const std::optional<Value>& value) {
  return value ? constant(*value) : add({.kind = Kind::nonsense});
}

ExprId ExpressionPool::constant(const Value& value) { return add({.kind = Kind::constant, .value = value}); }

ExprId ExpressionPool::read(std::uint32_t event, Type type) {
  return add({.kind = Kind::read, .type = type, .left = event});
}

ExprId ExpressionPool::compute(ComputeOp op, Type type, ExprId left, ExprId right) {
  if (litmus::is_unary(op)) right = left;
  const Value* a = as_constant(left);
  const Value* b = as_constant(right);
  if (is_nonsense(left) || is_nonsense(right)) return folded(std::nullopt);
  if (a != nullptr && b != nullptr) return folded(litmus::compute(op, type, *a, *b));
  if (op == ComputeOp::mov && nodes_[left].type == type) return left;
  const bool zero = (a != nullptr && *a == Value{}) || (b != nullptr && *b == Value{});
  if (left == right && (op == ComputeOp::xor_ || op == ComputeOp::sub)) return constant({});
  if (left == right && (op == ComputeOp::eq || op == ComputeOp::le || op == ComputeOp::ge)) {
    return constant(litmus::integer(1));
  }
  if (left == right && (op == ComputeOp::ne || op == ComputeOp::lt || op == ComputeOp::gt)) return constant({});
  if (zero && (op == ComputeOp::and_ || op == ComputeOp::mul)) return constant({});
  return add({.kind = Kind::compute, .compute = op, .type = type, .left = left, .right = right});
}

ExprId ExpressionPool::modify(RmwOp op, Type type, ExprId old, ExprId operand) {
  if (is_nonsense(old) || is_nonsense(operand)) return folded(std::nullopt);
  if (op == RmwOp::exch || op == RmwOp::cas) return convert(type, operand);
  const Value* a = as_constant(old);
  const Value* b = as_constant(operand);
  if (a != nullptr && b != nullptr) return folded(litmus::modify(op, type, *a, *b));
  return add({.kind = Kind::modify, .modify = op, .type = type, .left = old, .right = operand});
}

const Value* ExpressionPool::as_constant(ExprId id) const {
  return nodes_[id].kind == Kind::constant ? &nodes_[id].value : nullptr;
}

std::vector<std::uint32_t> ExpressionPool::leaves(ExprId id) const {
  std::vector<std::uint32_t> events;
  if (nodes_[id].tree_size <= kSmallTree) {
    add_leaves(id, events);
  } else {
    std::vector<bool> needed(id + 1);
    needed[id] = true;
    for (ExprId i = id + 1; i-- > 0;) {
      if (!needed[i]) continue;
      if (nodes_[i].kind == Kind::read) events.push_back(nodes_[i].left);
      if (is_inner(nodes_[i])) needed[nodes_[i].left] = needed[nodes_[i].right] = true;
    }
  }
  if (events.size() < 2) return events;
  base::sort(events);
  events.erase(std::unique(events.begin(), events.end()), events.end());
  return events;
}

void ExpressionPool::add_leaves(ExprId id, std::vector<std::uint32_t>& events) const {
  const Node& node = nodes_[id];
  if (node.kind == Kind::read) events.push_back(node.left);
  if (!is_inner(node)) return;
  add_leaves(node.left, events);
  if (node.right != node.left) add_leaves(node.right, events);
}

std::optional<Value> ExpressionPool::apply(const Node& node, const Value& left, const Value& right) {
  return node.kind == Kind::compute ? litmus::compute(node.compute, node.type, left, right)
                                    : litmus::modify(node.modify, node.type, left, right);
}

}  // namespace weakspot::model

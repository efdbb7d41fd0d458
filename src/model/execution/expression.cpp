#include "model/execution/expression.h"

#include <algorithm>

namespace weakspot::model {

using litmus::ComputeOp;
using litmus::RmwOp;
using litmus::Type;
using litmus::Value;

namespace {

// Arithmetic wraps around, so it is done on unsigned numbers.
std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }
std::int64_t number(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

// The number's unsigned reading at the width of the type.
std::uint64_t unsigned_at(std::int64_t number, Type type) {
  const int width = 8 * litmus::size_in_bytes(type);
  return width == 64 ? bits(number) : bits(number) & ((std::uint64_t{1} << width) - 1);
}

std::int64_t shift(ComputeOp op, Type type, std::int64_t left, std::int64_t right) {
  const int width = 8 * litmus::size_in_bytes(type);
  const bool too_far = right < 0 || right >= width;
  if (op == ComputeOp::shl) return too_far ? 0 : number(bits(left) << right);
  if (litmus::is_signed(type)) return litmus::wrap(left, type) >> (too_far ? width - 1 : right);
  return too_far ? 0 : number(unsigned_at(left, type) >> right);
}

std::int64_t compute_numbers(ComputeOp op, Type type, std::int64_t left, std::int64_t right) {
  switch (op) {
    case ComputeOp::mov:
      return left;
    case ComputeOp::not_:
      return ~left;
    case ComputeOp::neg:
      return number(0 - bits(left));
    case ComputeOp::add:
      return number(bits(left) + bits(right));
    case ComputeOp::sub:
      return number(bits(left) - bits(right));
    case ComputeOp::mul:
      return number(bits(left) * bits(right));
    case ComputeOp::and_:
      return left & right;
    case ComputeOp::or_:
      return left | right;
    case ComputeOp::xor_:
      return left ^ right;
    case ComputeOp::shl:
    case ComputeOp::shr:
      return shift(op, type, left, right);
    case ComputeOp::eq:
      return left == right;
    case ComputeOp::ne:
      return left != right;
    case ComputeOp::lt:
      return left < right;
    case ComputeOp::le:
      return left <= right;
    case ComputeOp::gt:
      return left > right;
    case ComputeOp::ge:
      return left >= right;
  }
  return 0;
}

std::optional<Value> compute_addresses(ComputeOp op, const Value& left, const Value& right) {
  const bool same = left.base == right.base;
  switch (op) {
    case ComputeOp::mov:
      return left;
    case ComputeOp::eq:
      return litmus::integer(left == right);
    case ComputeOp::ne:
      return litmus::integer(left != right);
    case ComputeOp::add:
      if (left.base && right.base) return std::nullopt;
      return Value{number(bits(left.number) + bits(right.number)), left.base ? left.base : right.base};
    case ComputeOp::sub:
      if (!left.base || (right.base && !same)) return std::nullopt;
      return Value{number(bits(left.number) - bits(right.number)), right.base ? std::nullopt : left.base};
    case ComputeOp::xor_:
      return left == right ? std::optional(Value{}) : std::nullopt;
    case ComputeOp::and_:
      if (left == right) return left;
      return left == Value{} || right == Value{} ? std::optional(Value{}) : std::nullopt;
    case ComputeOp::or_:
      if (left == right || right == Value{}) return left;
      return left == Value{} ? std::optional(right) : std::nullopt;
    case ComputeOp::mul:
      return left == Value{} || right == Value{} ? std::optional(Value{}) : std::nullopt;
    case ComputeOp::lt:
    case ComputeOp::le:
    case ComputeOp::gt:
    case ComputeOp::ge:
      if (!same) return std::nullopt;
      return litmus::integer(compute_numbers(op, Type::s64, left.number, right.number));
    default:
      return std::nullopt;
  }
}

}  // namespace

Value wrap(const Value& value, Type type) { return value.base ? value : Value{litmus::wrap(value.number, type), {}}; }

std::optional<Value> compute(ComputeOp op, Type type, const Value& left, const Value& right) {
  std::optional<Value> result;
  if (left.base || (right.base && !litmus::is_unary(op))) {
    result = compute_addresses(op, left, right);
  } else {
    result = litmus::integer(compute_numbers(op, type, left.number, right.number));
  }
  if (result) result = wrap(*result, type);
  return result;
}

std::optional<Value> modify(RmwOp op, Type type, const Value& old, const Value& operand) {
  switch (op) {
    case RmwOp::exch:
    case RmwOp::cas:
      return wrap(operand, type);
    case RmwOp::add:
      return compute(ComputeOp::add, type, old, operand);
    case RmwOp::sub:
      return compute(ComputeOp::sub, type, old, operand);
    case RmwOp::and_:
      return compute(ComputeOp::and_, type, old, operand);
    case RmwOp::or_:
      return compute(ComputeOp::or_, type, old, operand);
    case RmwOp::xor_:
      return compute(ComputeOp::xor_, type, old, operand);
    case RmwOp::inc:
    case RmwOp::dec:
    case RmwOp::min:
    case RmwOp::max:
      break;
  }
  if (old.base || operand.base) return std::nullopt;
  const std::uint64_t a = unsigned_at(old.number, type);
  const std::uint64_t b = unsigned_at(operand.number, type);
  switch (op) {
    case RmwOp::inc:
      return wrap(litmus::integer(a >= b ? 0 : number(a + 1)), type);
    case RmwOp::dec:
      return wrap(litmus::integer(number(a == 0 || a > b ? b : a - 1)), type);
    case RmwOp::min:
      if (litmus::is_signed(type)) return wrap(litmus::integer(std::min(old.number, operand.number)), type);
      return wrap(litmus::integer(number(std::min(a, b))), type);
    default:
      if (litmus::is_signed(type)) return wrap(litmus::integer(std::max(old.number, operand.number)), type);
      return wrap(litmus::integer(number(std::max(a, b))), type);
  }
}

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
  if (a != nullptr && b != nullptr) return folded(model::compute(op, type, *a, *b));
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
  if (a != nullptr && b != nullptr) return folded(model::modify(op, type, *a, *b));
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
  std::sort(events.begin(), events.end());
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
  return node.kind == Kind::compute ? model::compute(node.compute, node.type, left, right)
                                    : model::modify(node.modify, node.type, left, right);
}

}  // namespace weakspot::model

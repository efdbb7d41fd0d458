// SPDX-License-Identifier: MIT
#include "litmus/meaning.h"

#include <algorithm>

namespace weakspot::litmus {
namespace {

// Arithmetic wraps around, so it is done on unsigned numbers.
std::uint64_t as_bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }
std::int64_t as_number(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

// The number's unsigned reading at the width of the type.
std::uint64_t unsigned_at(std::int64_t number, Type type) {
  const int width = 8 * size_in_bytes(type);
  return width == 64 ? as_bits(number) : as_bits(number) & ((std::uint64_t{1} << width) - 1);
}

std::int64_t shift(ComputeOp op, Type type, std::int64_t left, std::int64_t right) {
  const int width = 8 * size_in_bytes(type);
  const bool too_far = right < 0 || right >= width;
  if (op == ComputeOp::shl) return too_far ? 0 : as_number(as_bits(left) << right);
  if (is_signed(type)) return wrap(left, type) >> (too_far ? width - 1 : right);
  return too_far ? 0 : as_number(unsigned_at(left, type) >> right);
}

std::int64_t compute_numbers(ComputeOp op, Type type, std::int64_t left, std::int64_t right) {
  switch (op) {
    case ComputeOp::mov:
      return left;
    case ComputeOp::not_:
      return ~left;
    case ComputeOp::neg:
      return as_number(0 - as_bits(left));
    case ComputeOp::add:
      return as_number(as_bits(left) + as_bits(right));
    case ComputeOp::sub:
      return as_number(as_bits(left) - as_bits(right));
    case ComputeOp::mul:
      return as_number(as_bits(left) * as_bits(right));
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
      return integer(left == right);
    case ComputeOp::ne:
      return integer(left != right);
    case ComputeOp::add:
      if (left.base && right.base) return std::nullopt;
      return Value{as_number(as_bits(left.number) + as_bits(right.number)), left.base ? left.base : right.base};
    case ComputeOp::sub:
      if (!left.base || (right.base && !same)) return std::nullopt;
      return Value{as_number(as_bits(left.number) - as_bits(right.number)), right.base ? std::nullopt : left.base};
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
      return integer(compute_numbers(op, Type::s64, left.number, right.number));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Value> compute(ComputeOp op, Type type, const Value& left, const Value& right) {
  std::optional<Value> result;
  if (left.base || (right.base && !is_unary(op))) {
    result = compute_addresses(op, left, right);
  } else {
    result = integer(compute_numbers(op, type, left.number, right.number));
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
  if (op == RmwOp::inc) return wrap(integer(a >= b ? 0 : as_number(a + 1)), type);
  if (op == RmwOp::dec) return wrap(integer(as_number(a == 0 || a > b ? b : a - 1)), type);
  const std::int64_t left = wrap(old.number, type);
  const std::int64_t right = wrap(operand.number, type);
  const bool old_is_less = is_signed(type) ? left < right : a < b;
  return integer(old_is_less == (op == RmwOp::min) ? left : right);
}

}  // namespace weakspot::litmus

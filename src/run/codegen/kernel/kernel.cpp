// SPDX-License-Identifier: MIT
#include "codegen/kernel/kernel.h"

#include <algorithm>

#include "base/check.h"

namespace weakspot::codegen {
namespace {

std::uint64_t cut(std::uint64_t value, Width width) { return width == Width::w32 ? value & 0xffffffffu : value; }

std::int64_t as_signed(std::uint64_t value, Width width) {
  return width == Width::w32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value))
                             : static_cast<std::int64_t>(value);
}

bool compares(Op op) { return op >= Op::eq && op <= Op::le_signed; }

Width width_of_result(Op op, const std::vector<Expr>& args) {
  if (compares(op) || op == Op::narrow) return Width::w32;
  if (op == Op::widen || op == Op::widen_signed || op == Op::mul_wide) return Width::w64;
  return op == Op::select ? args[1].width() : args[0].width();
}

// x op c == x for a constant c on the right (and on the left, if the operator commutes).
bool is_neutral(Op op, const Expr& arg) {
  const std::optional<std::uint64_t> value = arg.constant();
  if (!value) return false;
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::or_:
    case Op::xor_:
    case Op::shl:
    case Op::shr:
      return *value == 0;
    case Op::mul:
    case Op::div:
      return *value == 1;
    default:
      return false;
  }
}

bool commutes(Op op) { return op == Op::add || op == Op::mul || op == Op::or_ || op == Op::xor_; }

}  // namespace

bool is_comparison(const ExprNode& node) { return node.kind == ExprNode::Kind::op && compares(node.op); }

Expr::Expr(std::uint32_t constant) {
  ExprNode node;
  node.value = constant;
  node_ = std::make_shared<const ExprNode>(std::move(node));
}

Expr::Expr(Var variable) {
  ExprNode node;
  node.kind = ExprNode::Kind::variable;
  node.width = variable.width;
  node.value = variable.index;
  node_ = std::make_shared<const ExprNode>(std::move(node));
}

std::optional<std::uint64_t> Expr::constant() const {
  if (node_->kind != ExprNode::Kind::constant) return std::nullopt;
  return node_->value;
}

Expr constant64(std::uint64_t value) {
  ExprNode node;
  node.width = Width::w64;
  node.value = value;
  return Expr(std::move(node));
}

Expr builtin(Builtin which) {
  ExprNode node;
  node.kind = ExprNode::Kind::builtin;
  node.builtin = which;
  return Expr(std::move(node));
}

Expr buffer_address(std::uint32_t buffer) {
  ExprNode node;
  node.kind = ExprNode::Kind::buffer;
  node.width = Width::w64;
  node.value = buffer;
  return Expr(std::move(node));
}

std::uint64_t evaluate(Op op, Width width, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const unsigned bits = width == Width::w32 ? 32 : 64;
  switch (op) {
    case Op::add:
      return cut(a + b, width);
    case Op::sub:
      return cut(a - b, width);
    case Op::mul:
      return cut(a * b, width);
    case Op::div:
      return b == 0 ? 0 : a / b;
    case Op::rem:
      return b == 0 ? 0 : a % b;
    case Op::and_:
      return a & b;
    case Op::or_:
      return a | b;
    case Op::xor_:
      return a ^ b;
    case Op::shl:
      return b >= bits ? 0 : cut(a << b, width);
    case Op::shr:
      return b >= bits ? 0 : a >> b;
    case Op::sar:
      return cut(static_cast<std::uint64_t>(as_signed(a, width) >> std::min<std::uint64_t>(b, bits - 1)), width);
    case Op::min:
      return std::min(a, b);
    case Op::not_:
      return cut(~a, width);
    case Op::neg:
      return cut(0 - a, width);
    case Op::eq:
      return a == b ? 1 : 0;
    case Op::ne:
      return a != b ? 1 : 0;
    case Op::lt:
      return a < b ? 1 : 0;
    case Op::le:
      return a <= b ? 1 : 0;
    case Op::lt_signed:
      return as_signed(a, width) < as_signed(b, width) ? 1 : 0;
    case Op::le_signed:
      return as_signed(a, width) <= as_signed(b, width) ? 1 : 0;
    case Op::widen:
      return cut(a, Width::w32);
    case Op::widen_signed:
      return static_cast<std::uint64_t>(as_signed(a, Width::w32));
    case Op::narrow:
      return cut(a, Width::w32);
    case Op::mul_wide:
      return cut(a, Width::w32) * cut(b, Width::w32);
    case Op::select:
      return a != 0 ? b : c;
  }
  return 0;
}

Expr apply(Op op, std::vector<Expr> args) {
  const Width operand_width = op == Op::select ? args[1].width() : args[0].width();
  if (args.size() == 2 && op != Op::shl && op != Op::shr && op != Op::sar) {
    WEAKSPOT_CHECK(args[0].width() == args[1].width());
  }
  const Width width = width_of_result(op, args);
  const bool folds = std::all_of(args.begin(), args.end(), [](const Expr& e) { return e.constant().has_value(); });
  if (folds) {
    std::uint64_t values[3] = {};
    for (std::size_t i = 0; i < args.size(); ++i) values[i] = *args[i].constant();
    const std::uint64_t value = evaluate(op, operand_width, values[0], values[1], values[2]);
    return width == Width::w64 ? constant64(value) : Expr(static_cast<std::uint32_t>(value));
  }
  if (args.size() == 2 && is_neutral(op, args[1])) return args[0];
  if (args.size() == 2 && commutes(op) && is_neutral(op, args[0])) return args[1];
  ExprNode node;
  node.kind = ExprNode::Kind::op;
  node.width = width;
  node.op = op;
  node.args = std::move(args);
  return Expr(std::move(node));
}

Expr operator+(Expr a, Expr b) { return apply(Op::add, {std::move(a), std::move(b)}); }
Expr operator-(Expr a, Expr b) { return apply(Op::sub, {std::move(a), std::move(b)}); }
Expr operator*(Expr a, Expr b) { return apply(Op::mul, {std::move(a), std::move(b)}); }
Expr operator/(Expr a, Expr b) { return apply(Op::div, {std::move(a), std::move(b)}); }
Expr operator%(Expr a, Expr b) { return apply(Op::rem, {std::move(a), std::move(b)}); }
Expr operator&(Expr a, Expr b) { return apply(Op::and_, {std::move(a), std::move(b)}); }
Expr operator|(Expr a, Expr b) { return apply(Op::or_, {std::move(a), std::move(b)}); }
Expr operator^(Expr a, Expr b) { return apply(Op::xor_, {std::move(a), std::move(b)}); }
Expr operator<<(Expr a, Expr b) { return apply(Op::shl, {std::move(a), std::move(b)}); }
Expr operator>>(Expr a, Expr b) { return apply(Op::shr, {std::move(a), std::move(b)}); }
Expr equal(Expr a, Expr b) { return apply(Op::eq, {std::move(a), std::move(b)}); }
Expr not_equal(Expr a, Expr b) { return apply(Op::ne, {std::move(a), std::move(b)}); }
Expr less(Expr a, Expr b) { return apply(Op::lt, {std::move(a), std::move(b)}); }
Expr at_least(Expr a, Expr b) { return apply(Op::le, {std::move(b), std::move(a)}); }
Expr select(Expr condition, Expr yes, Expr no) {
  return apply(Op::select, {std::move(condition), std::move(yes), std::move(no)});
}
Expr widen(Expr a) { return apply(Op::widen, {std::move(a)}); }
Expr mul_wide(Expr a, Expr b) { return apply(Op::mul_wide, {std::move(a), std::move(b)}); }

}  // namespace weakspot::codegen

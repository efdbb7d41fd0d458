// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/c/c_function.h"

namespace weakspot::litmus {
namespace {

// C's precedence, the loosest first; 0 if the token is not a binary operator.
int strength(const Token& token) {
  static constexpr std::string_view kLevels[][4] = {
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  // A fast way out: these tokens end most expressions.
  if (token.kind != Token::Kind::punct || token.text[0] == ')' || token.text[0] == ';' || token.text[0] == ',')
    return 0;
  int level = 0;
  for (const auto& signs : kLevels) {
    ++level;
    for (std::string_view sign : signs) {
      if (!sign.empty() && token.is(sign)) return level;
    }
  }
  return 0;
}

// The common type of two operands: at least int, the wider of both, unsigned if an operand of that width is.
Type common_type(Type left, Type right) {
  if (size_in_bytes(left) < 4) left = Type::s32;
  if (size_in_bytes(right) < 4) right = Type::s32;
  if (size_in_bytes(left) != size_in_bytes(right)) return size_in_bytes(left) > size_in_bytes(right) ? left : right;
  return is_signed(left) ? right : left;
}

std::optional<CExpression> binary(CFunction& f, int weakest);

// Reads the rest of `?:`. One instruction chooses between two values that are both computed before, so neither may
// access memory.
std::optional<CExpression> choice(CFunction& f, CExpression condition) {
  if (!f.enter("the expression")) return std::nullopt;
  const std::uint32_t begin = condition.span.begin;
  std::optional<Comparison> decides = f.comparison_of(std::move(condition));
  const std::vector<Instruction>& code = f.builder.test.threads[f.thread.index].instructions;
  const std::size_t before = code.size();
  Select select;
  std::vector<CType> types;
  for (Operand* side : {&select.yes, &select.no}) {
    if (side == &select.no && !f.cursor.expect(":", "and the other value")) return std::nullopt;
    std::optional<CExpression> given = read_c_expression(f);
    if (!decides || !given) return std::nullopt;
    const base::Span span = given->span;
    bool accesses = given->reads_memory();
    for (std::size_t i = before; i < code.size(); ++i) {
      const Operation& done = code[i].operation;
      accesses = accesses || !(std::holds_alternative<Compute>(done) || std::holds_alternative<Select>(done));
    }
    if (accesses) {
      f.cursor.mistake(span, "what '?:' chooses from must not access memory; write it as if and else");
      return std::nullopt;
    }
    types.push_back(given->type);
    std::optional<Operand> operand = f.value(std::move(*given));
    if (!operand) return std::nullopt;
    *side = *operand;
  }
  --f.nesting;
  select.condition = *decides;
  const bool pointers = types[0].pointers > 0;
  const CType type = pointers ? types[0] : CType{common_type(types[0].value(), types[1].value())};
  return CExpression{select, std::nullopt, type, {begin, f.cursor.last_end()}};
}

// Reads the right side of && or ||. Both sides are evaluated unless the right one accesses memory: then a branch is
// inserted before its instructions, at `before`, and goes around them if the left side decides.
std::optional<CExpression> logical(CFunction& f, ComputeOp op, CExpression left, int level) {
  const std::uint32_t begin = left.span.begin;
  std::optional<CExpression> left_truth = f.truth(std::move(left));
  if (!left_truth) return std::nullopt;
  std::optional<Operand> left_value = f.value(std::move(*left_truth));
  std::vector<Instruction>& code = f.builder.test.threads[f.thread.index].instructions;
  const auto before = static_cast<std::ptrdiff_t>(code.size());
  std::optional<CExpression> right = binary(f, level + 1);
  if (!left_value || !right) return std::nullopt;
  const bool accesses =
      right->reads_memory() || std::any_of(code.begin() + before, code.end(), [](const Instruction& done) {
        return !(std::holds_alternative<Compute>(done.operation) || std::holds_alternative<Select>(done.operation));
      });
  std::optional<CExpression> right_truth = f.truth(std::move(*right));
  if (!right_truth) return std::nullopt;
  std::optional<Operand> right_value = f.value(std::move(*right_truth));
  if (!right_value) return std::nullopt;
  if (!accesses) return CExpression{Compute{op, {}, *left_value, *right_value}, std::nullopt, CType{}, {}};
  const base::Span span{begin, f.cursor.last_end()};
  const RegisterId result = f.temporary(Type::s32);
  const std::string decided = f.fresh_label();
  const CompareOp stops = op == ComputeOp::and_ ? CompareOp::eq : CompareOp::ne;
  const Instruction around[] = {{Compute{ComputeOp::mov, result, *left_value, std::nullopt}, std::nullopt, span},
                                {Branch{decided, Comparison{stops, result, integer(0)}}, std::nullopt, span}};
  code.insert(code.begin() + before, std::begin(around), std::end(around));
  f.emit(Compute{ComputeOp::mov, result, *right_value, std::nullopt}, span);
  f.place(decided, span);
  return CExpression{Operand(result), std::nullopt, CType{}, {}};
}

std::optional<CExpression> arithmetic(CFunction& f, ComputeOp op, CExpression left, int level) {
  const bool sum = op == ComputeOp::add || op == ComputeOp::sub;
  if (sum && left.type.pointers > 0 && !left.reads_memory()) {
    std::optional<CExpression> right = binary(f, level + 1);
    if (!right) return std::nullopt;
    if (right->type.pointers > 0) {
      f.cursor.mistake(right->span, "expected a number to add to the pointer, found another pointer");
      return std::nullopt;
    }
    return f.pointer_sum(std::move(left), std::move(*right), op == ComputeOp::sub);
  }
  const CType left_type = left.type;
  std::optional<Operand> left_value = f.value(std::move(left));
  if (!left_value) return std::nullopt;
  std::optional<CExpression> right = binary(f, level + 1);
  if (!right) return std::nullopt;
  if (sum && left_type.pointers > 0 && right->type.pointers == 0) {
    CExpression pointer{*left_value, std::nullopt, left_type, {}};
    return f.pointer_sum(std::move(pointer), std::move(*right), op == ComputeOp::sub);
  }
  if (op == ComputeOp::add && right->type.pointers > 0) {
    CExpression index{*left_value, std::nullopt, left_type, {}};
    return f.pointer_sum(std::move(*right), std::move(index), false);
  }
  const Type right_type = right->type.value();
  std::optional<Operand> right_value = f.value(std::move(*right));
  if (!right_value) return std::nullopt;
  const bool shift = op == ComputeOp::shl || op == ComputeOp::shr;
  Type type = common_type(left_type.value(), shift ? left_type.value() : right_type);
  if (is_comparison(op)) type = Type::s32;
  return CExpression{Compute{op, {}, *left_value, *right_value}, std::nullopt, CType{type}, {}};
}

std::optional<CExpression> binary(CFunction& f, int weakest) {
  std::optional<CExpression> left = read_c_unary(f);
  while (left) {
    const Token sign = f.cursor.peek();
    const int level = strength(sign);
    if (level == 0 || level < weakest) return left;
    f.cursor.next();
    if (sign.is("/") || sign.is("%")) {
      f.cursor.mistake(sign.span, "division is not supported");
      return std::nullopt;
    }
    const base::Span begin = left->span;
    if (sign.is("&&") || sign.is("||")) {
      left = logical(f, sign.is("&&") ? ComputeOp::and_ : ComputeOp::or_, std::move(*left), level);
    } else {
      left = arithmetic(f, *base::value_of(kCOperators, sign.text), std::move(*left), level);
    }
    if (left) left->span = {begin.begin, f.cursor.last_end()};
  }
  return left;
}

std::optional<CExpression> logical_not(CFunction& f) {
  std::optional<CExpression> inner = read_c_unary(f);
  if (!inner) return std::nullopt;
  if (auto* inside = std::get_if<Compute>(&inner->pending); inside != nullptr && is_comparison(inside->op)) {
    for (CompareOp op : {CompareOp::eq, CompareOp::ne, CompareOp::lt, CompareOp::le, CompareOp::gt, CompareOp::ge}) {
      if (as_compute(op) != inside->op) continue;
      inside->op = as_compute(negate(op));
      return inner;
    }
  }
  std::optional<Operand> operand = f.value(std::move(*inner));
  if (!operand) return std::nullopt;
  return CExpression{Compute{ComputeOp::eq, {}, *operand, Operand(integer(0))}, std::nullopt, CType{}, {}};
}

// [-] decimal or 0x, with C's suffixes
std::optional<CExpression> number(CFunction& f) {
  const bool negative = f.cursor.accept("-");
  const Token token = f.cursor.next();
  std::string_view digits = token.text;
  CType type;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    const bool is_long = digits.back() == 'l' || digits.back() == 'L';
    digits.remove_suffix(1);
    type.base = is_long || size_in_bytes(type.base) == 8 ? Type::s64 : Type::u32;
  }
  if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
    f.cursor.mistake(token.span,
                     "octal numbers are not supported; expected a decimal number or 0x and hexadecimal digits");
    return std::nullopt;
  }
  std::optional<std::int64_t> parsed = parse_integer(digits, negative);
  if (!parsed) {
    f.cursor.mistake(token.span, fmt::format("{} is not a number of 64 bits", describe(token)));
    return std::nullopt;
  }
  if (!fits(*parsed, type.base)) type.base = Type::s64;
  return CExpression{Operand(integer(*parsed)), std::nullopt, type, {}};
}

std::optional<CExpression> variable(CFunction& f) {
  const Token name = f.cursor.next();
  const CFunction::Symbol* symbol = f.find(name);
  if (symbol == nullptr) return std::nullopt;
  CExpression result{Operand(symbol->reg), std::nullopt, symbol->type, {}};
  // A parameter's register is never written, so that its address can stand for it at once.
  if (symbol->parameter) result.pending = Operand(f.builder[ObservedRegister{f.thread, symbol->reg}].initial);
  return result;
}

std::optional<CExpression> cast(CFunction& f, const CType& type, CExpression expression) {
  if (type.is_bool && type.pointers == 0) return f.truth(std::move(expression));
  if (type.pointers > 0) {
    if (expression.reads_memory() || std::holds_alternative<Compute>(expression.pending) ||
        std::holds_alternative<Select>(expression.pending)) {
      std::optional<Operand> operand = f.value(std::move(expression));
      if (!operand) return std::nullopt;
      return CExpression{*operand, std::nullopt, type, {}};
    }
    expression.type = type;
    return expression;
  }
  const Type from = expression.type.value();
  std::optional<Operand> operand = f.value(std::move(expression));
  if (!operand) return std::nullopt;
  if (auto* constant = std::get_if<Value>(&*operand); constant != nullptr && !constant->base) {
    constant->number = wrap(constant->number, type.base);
  } else if (from != type.base) {
    return CExpression{Compute{ComputeOp::mov, {}, *operand, std::nullopt}, std::nullopt, CType{type.base}, {}};
  }
  return CExpression{*operand, std::nullopt, CType{type.base}, {}};
}

std::optional<CExpression> primary(CFunction& f) {
  const Token token = f.cursor.peek();
  std::optional<CExpression> result;
  if (f.cursor.accept("(")) {
    result = read_c_expression(f);
    if (!result || !f.cursor.expect(")", "to close the parenthesis")) return std::nullopt;
  } else if (token.kind == Token::Kind::number) {
    result = number(f);
  } else if (token.is("true") || token.is("false")) {
    f.cursor.next();
    result = CExpression{Operand(integer(token.is("true") ? 1 : 0)), std::nullopt, CType{}, {}};
  } else if (token.kind == Token::Kind::word && f.cursor.peek_second().is("(")) {
    result = read_c_call(f);
  } else if (token.kind == Token::Kind::word) {
    result = variable(f);
  } else {
    f.cursor.expected("an expression");
  }
  if (result) result->span = {token.span.begin, f.cursor.last_end()};
  while (result && f.cursor.peek().is("[")) result = read_c_element(f, std::move(*result));
  return result;
}

}  // namespace

std::optional<CExpression> read_c_expression(CFunction& f) {
  std::optional<CExpression> result = binary(f, 1);
  if (result && f.cursor.accept("?")) return choice(f, std::move(*result));
  return result;
}

std::optional<CExpression> read_c_unary(CFunction& f) {
  if (!f.enter("the expression")) return std::nullopt;
  const Token sign = f.cursor.peek();
  std::optional<CExpression> result;
  if (f.cursor.accept("!")) {
    result = logical_not(f);
  } else if (f.cursor.accept("~")) {
    if (std::optional<CExpression> inner = read_c_unary(f)) {
      const Type type = common_type(inner->type.value(), Type::s32);
      if (std::optional<Operand> operand = f.value(std::move(*inner))) {
        result = CExpression{Compute{ComputeOp::not_, {}, *operand, std::nullopt}, std::nullopt, CType{type}, {}};
      }
    }
  } else if (sign.is("-") && f.cursor.peek_second().kind == Token::Kind::number) {
    result = number(f);
  } else if (f.cursor.accept("-")) {
    if (std::optional<CExpression> inner = read_c_unary(f)) {
      const Type type = common_type(inner->type.value(), Type::s32);
      if (std::optional<Operand> operand = f.value(std::move(*inner))) {
        result = CExpression{Compute{ComputeOp::neg, {}, *operand, std::nullopt}, std::nullopt, CType{type}, {}};
      }
    }
  } else if (f.cursor.accept("+")) {
    result = read_c_unary(f);
  } else if (f.cursor.accept("*")) {
    if (std::optional<CExpression> inner = read_c_unary(f)) {
      f.take_as_pointer(*inner);
      const CType type = inner->type;
      if (std::optional<Address> place = f.address(std::move(*inner))) {
        result = CExpression{f.load_from(*place, type), std::nullopt, type.pointee(), {}};
      }
    }
  } else if (f.cursor.accept("&")) {
    result = read_c_address_of_object(f, sign);
  } else if (sign.is("++") || sign.is("--")) {
    f.cursor.mistake(sign.span, fmt::format("{} is not supported inside an expression", describe(sign)));
  } else if (sign.is("(") && starts_c_type(f.cursor.peek_second(), f.face)) {
    f.cursor.next();
    std::optional<CType> type = read_c_specifiers(f.cursor, f.face);
    if (type) read_c_stars(f.cursor, *type);
    if (type && f.cursor.expect(")", "after the type of the cast")) {
      if (std::optional<CExpression> inner = read_c_unary(f)) result = cast(f, *type, std::move(*inner));
    }
  } else {
    result = primary(f);
  }
  --f.nesting;
  if (result) result->span = {sign.span.begin, f.cursor.last_end()};
  return result;
}

}  // namespace weakspot::litmus

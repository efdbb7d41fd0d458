// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/c/c_reader.h"

namespace weakspot::litmus {
namespace {

// Offsets beyond this cannot be meant, and staying below keeps sums of them from overflowing.
constexpr std::int64_t kLargestOffset = std::int64_t{1} << 31;

// C's precedence, the loosest first; 0 if the token is not a binary operator.
int strength(const Token& token) {
  static constexpr std::string_view kLevels[][4] = {
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  // What ends most expressions.
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

// The type two operands are brought to: at least int, the wider one, unsigned if one of that width is.
Type common_type(Type left, Type right) {
  if (size_in_bytes(left) < 4) left = Type::s32;
  if (size_in_bytes(right) < 4) right = Type::s32;
  if (size_in_bytes(left) != size_in_bytes(right)) return size_in_bytes(left) > size_in_bytes(right) ? left : right;
  return is_signed(left) ? right : left;
}

CType plain_type(Type base) {
  CType type;
  type.base = base;
  return type;
}

Compute compute(ComputeOp op, Operand left, std::optional<Operand> right) {
  Compute result;
  result.op = op;
  result.left = left;
  result.right = right;
  return result;
}

}  // namespace

// ---- reading ----

std::optional<CExpression> CFunctionReader::expression() {
  std::optional<CExpression> result = binary(1);
  if (result && cursor_.accept("?")) return choice(std::move(*result));
  return result;
}

// One instruction chooses between two values, which are computed before: they must be free of accesses.
std::optional<CExpression> CFunctionReader::choice(CExpression condition) {
  if (!enter("the expression")) return std::nullopt;
  const std::uint32_t begin = condition.span.begin;
  std::optional<Comparison> decides = comparison_of(std::move(condition));
  const std::vector<Instruction>& code = builder_.test.threads[thread_.index].instructions;
  const std::size_t before = code.size();
  Select select;
  std::vector<CType> types;
  for (Operand* side : {&select.yes, &select.no}) {
    if (side == &select.no && !cursor_.expect(":", "and the other value")) return std::nullopt;
    std::optional<CExpression> given = expression();
    if (!decides || !given) return std::nullopt;
    const base::Span span = given->span;
    bool accesses = given->reads_memory();
    for (std::size_t i = before; i < code.size(); ++i) {
      const Operation& done = code[i].operation;
      accesses = accesses || !(std::holds_alternative<Compute>(done) || std::holds_alternative<Select>(done));
    }
    if (accesses) {
      cursor_.mistake(span, "what '?:' chooses from must not access memory; write it as if and else");
      return std::nullopt;
    }
    types.push_back(given->type);
    std::optional<Operand> operand = value(std::move(*given));
    if (!operand) return std::nullopt;
    *side = *operand;
  }
  --depth_;
  select.condition = *decides;
  const bool pointers = types[0].pointers > 0;
  const CType type = pointers ? types[0] : plain_type(common_type(types[0].value(), types[1].value()));
  return CExpression{select, std::nullopt, type, {begin, cursor_.last_end()}};
}

std::optional<CExpression> CFunctionReader::binary(int weakest) {
  std::optional<CExpression> left = unary();
  while (left) {
    const Token sign = cursor_.peek();
    const int level = strength(sign);
    if (level == 0 || level < weakest) return left;
    cursor_.next();
    if (sign.is("/") || sign.is("%")) {
      cursor_.mistake(sign.span, "division is not supported");
      return std::nullopt;
    }
    const base::Span begin = left->span;
    if (sign.is("&&") || sign.is("||")) {
      left = logical(sign.is("&&") ? ComputeOp::and_ : ComputeOp::or_, std::move(*left), level);
    } else {
      left = arithmetic(*base::value_of(kCOperators, sign.text), std::move(*left), level);
    }
    if (left) left->span = {begin.begin, cursor_.last_end()};
  }
  return left;
}

// Both sides are evaluated, unless the right one accesses memory: then a branch goes around it.
std::optional<CExpression> CFunctionReader::logical(ComputeOp op, CExpression left, int level) {
  const std::uint32_t begin = left.span.begin;
  std::optional<CExpression> left_truth = truth(std::move(left));
  if (!left_truth) return std::nullopt;
  std::optional<Operand> left_value = value(std::move(*left_truth));
  std::vector<Instruction>& code = builder_.test.threads[thread_.index].instructions;
  const auto before = static_cast<std::ptrdiff_t>(code.size());
  std::optional<CExpression> right = binary(level + 1);
  if (!left_value || !right) return std::nullopt;
  const bool accesses =
      right->reads_memory() || std::any_of(code.begin() + before, code.end(), [](const Instruction& done) {
        return !(std::holds_alternative<Compute>(done.operation) || std::holds_alternative<Select>(done.operation));
      });
  std::optional<CExpression> right_truth = truth(std::move(*right));
  if (!right_truth) return std::nullopt;
  std::optional<Operand> right_value = value(std::move(*right_truth));
  if (!right_value) return std::nullopt;
  if (!accesses) return CExpression{compute(op, *left_value, *right_value), std::nullopt, CType{}, {}};
  const base::Span span{begin, cursor_.last_end()};
  const RegisterId result = temporary(Type::s32);
  const std::string decided = fresh_label();
  const CompareOp stops = op == ComputeOp::and_ ? CompareOp::eq : CompareOp::ne;
  const Instruction around[] = {{Compute{ComputeOp::mov, result, *left_value, std::nullopt}, std::nullopt, span},
                                {Branch{decided, Comparison{stops, result, integer(0)}}, std::nullopt, span}};
  code.insert(code.begin() + before, std::begin(around), std::end(around));
  emit(Compute{ComputeOp::mov, result, *right_value, std::nullopt}, span);
  place(decided, span);
  return CExpression{Operand(result), std::nullopt, CType{}, {}};
}

std::optional<CExpression> CFunctionReader::arithmetic(ComputeOp op, CExpression left, int level) {
  const bool sum = op == ComputeOp::add || op == ComputeOp::sub;
  if (sum && left.type.pointers > 0 && !left.reads_memory()) {
    std::optional<CExpression> right = binary(level + 1);
    if (!right) return std::nullopt;
    if (right->type.pointers > 0) {
      cursor_.mistake(right->span, "expected a number to add to the pointer, found another pointer");
      return std::nullopt;
    }
    return pointer_sum(std::move(left), std::move(*right), op == ComputeOp::sub);
  }
  const CType left_type = left.type;
  std::optional<Operand> left_value = value(std::move(left));
  if (!left_value) return std::nullopt;
  std::optional<CExpression> right = binary(level + 1);
  if (!right) return std::nullopt;
  if (sum && left_type.pointers > 0 && right->type.pointers == 0) {
    CExpression pointer{*left_value, std::nullopt, left_type, {}};
    return pointer_sum(std::move(pointer), std::move(*right), op == ComputeOp::sub);
  }
  if (op == ComputeOp::add && right->type.pointers > 0) {
    CExpression index{*left_value, std::nullopt, left_type, {}};
    return pointer_sum(std::move(*right), std::move(index), false);
  }
  const Type right_type = right->type.value();
  std::optional<Operand> right_value = value(std::move(*right));
  if (!right_value) return std::nullopt;
  const bool shift = op == ComputeOp::shl || op == ComputeOp::shr;
  Type type = common_type(left_type.value(), shift ? left_type.value() : right_type);
  if (is_comparison(op)) type = Type::s32;
  return CExpression{compute(op, *left_value, *right_value), std::nullopt, plain_type(type), {}};
}

// pointer +- index elements; stays an address as long as one register is enough for it.
std::optional<CExpression> CFunctionReader::pointer_sum(CExpression pointer, CExpression index, bool minus) {
  const CType type = pointer.type;
  const base::Span span = pointer.span;
  const std::int64_t scale = (minus ? -1 : 1) * size_in_bytes(type.pointee().value());
  std::optional<Operand> amount = value(std::move(index));
  if (!amount) return std::nullopt;
  std::optional<Address> sum = address(std::move(pointer));
  if (!sum) return std::nullopt;
  if (const auto* constant = std::get_if<Value>(&*amount)) {
    if (constant->base || constant->number > kLargestOffset || constant->number < -kLargestOffset ||
        sum->offset + constant->number * scale > kLargestOffset ||
        sum->offset + constant->number * scale < -kLargestOffset) {
      cursor_.mistake({span.begin, cursor_.last_end()}, "this pointer is too far from where it started");
      return std::nullopt;
    }
    sum->offset += constant->number * scale;
    return CExpression{*sum, std::nullopt, type, {}};
  }
  if (scale != 1) {
    const RegisterId scaled = temporary(Type::s64);
    Compute times = compute(ComputeOp::mul, *amount, Operand(integer(scale)));
    times.target = scaled;
    emit(times, span);
    amount = scaled;
  }
  if (!sum->index && sum->location) {
    sum->index = std::get<RegisterId>(*amount);
    return CExpression{*sum, std::nullopt, type, {}};
  }
  std::optional<Operand> start = value({*sum, std::nullopt, type, span});
  if (!start) return std::nullopt;
  return CExpression{compute(ComputeOp::add, *start, *amount), std::nullopt, type, {}};
}

std::optional<CExpression> CFunctionReader::unary() {
  if (!enter("the expression")) return std::nullopt;
  const Token sign = cursor_.peek();
  std::optional<CExpression> result;
  if (cursor_.accept("!")) {
    result = logical_not();
  } else if (cursor_.accept("~")) {
    if (std::optional<CExpression> inner = unary()) {
      const Type type = common_type(inner->type.value(), Type::s32);
      if (std::optional<Operand> operand = value(std::move(*inner))) {
        result = CExpression{compute(ComputeOp::not_, *operand, std::nullopt), std::nullopt, plain_type(type), {}};
      }
    }
  } else if (sign.is("-") && cursor_.peek_second().kind == Token::Kind::number) {
    result = number();
  } else if (cursor_.accept("-")) {
    if (std::optional<CExpression> inner = unary()) {
      const Type type = common_type(inner->type.value(), Type::s32);
      if (std::optional<Operand> operand = value(std::move(*inner))) {
        result = CExpression{compute(ComputeOp::neg, *operand, std::nullopt), std::nullopt, plain_type(type), {}};
      }
    }
  } else if (cursor_.accept("+")) {
    result = unary();
  } else if (cursor_.accept("*")) {
    if (std::optional<CExpression> inner = unary()) {
      take_as_pointer(*inner);
      const CType type = inner->type;
      if (std::optional<Address> place = address(std::move(*inner))) {
        result = CExpression{load_from(*place, type), std::nullopt, type.pointee(), {}};
      }
    }
  } else if (cursor_.accept("&")) {
    result = address_of_object(sign);
  } else if (sign.is("++") || sign.is("--")) {
    cursor_.mistake(sign.span, fmt::format("{} is not supported inside an expression", describe(sign)));
  } else if (sign.is("(") && starts_c_type(cursor_.peek_second(), face_)) {
    cursor_.next();
    std::optional<CType> type = read_c_specifiers(cursor_, face_);
    if (type) read_c_stars(cursor_, *type);
    if (type && cursor_.expect(")", "after the type of the cast")) {
      if (std::optional<CExpression> inner = unary()) result = cast(*type, std::move(*inner));
    }
  } else {
    result = primary();
  }
  --depth_;
  if (result) result->span = {sign.span.begin, cursor_.last_end()};
  return result;
}

std::optional<CExpression> CFunctionReader::logical_not() {
  std::optional<CExpression> inner = unary();
  if (!inner) return std::nullopt;
  if (auto* inside = std::get_if<Compute>(&inner->pending); inside != nullptr && is_comparison(inside->op)) {
    for (CompareOp op : {CompareOp::eq, CompareOp::ne, CompareOp::lt, CompareOp::le, CompareOp::gt, CompareOp::ge}) {
      if (as_compute(op) != inside->op) continue;
      inside->op = as_compute(negate(op));
      return inner;
    }
  }
  std::optional<Operand> operand = value(std::move(*inner));
  if (!operand) return std::nullopt;
  return CExpression{compute(ComputeOp::eq, *operand, Operand(integer(0))), std::nullopt, CType{}, {}};
}

std::optional<CExpression> CFunctionReader::primary() {
  const Token token = cursor_.peek();
  std::optional<CExpression> result;
  if (cursor_.accept("(")) {
    result = expression();
    if (!result || !cursor_.expect(")", "to close the parenthesis")) return std::nullopt;
  } else if (token.kind == Token::Kind::number) {
    result = number();
  } else if (token.is("true") || token.is("false")) {
    cursor_.next();
    result = CExpression{Operand(integer(token.is("true") ? 1 : 0)), std::nullopt, CType{}, {}};
  } else if (token.kind == Token::Kind::word && cursor_.peek_second().is("(")) {
    result = call();
  } else if (token.kind == Token::Kind::word) {
    result = variable();
  } else {
    cursor_.expected("an expression");
  }
  if (result) result->span = {token.span.begin, cursor_.last_end()};
  while (result && cursor_.peek().is("[")) result = element(std::move(*result));
  return result;
}

// [-] decimal or 0x, with C's suffixes
std::optional<CExpression> CFunctionReader::number() {
  const bool negative = cursor_.accept("-");
  const Token token = cursor_.next();
  std::string_view digits = token.text;
  CType type;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    const bool is_long = digits.back() == 'l' || digits.back() == 'L';
    digits.remove_suffix(1);
    type.base = is_long || size_in_bytes(type.base) == 8 ? Type::s64 : Type::u32;
  }
  if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
    cursor_.mistake(token.span,
                    "octal numbers are not supported; expected a decimal number or 0x and hexadecimal digits");
    return std::nullopt;
  }
  std::optional<std::int64_t> parsed = parse_integer(digits, negative);
  if (!parsed) {
    cursor_.mistake(token.span, fmt::format("{} is not a number of 64 bits", describe(token)));
    return std::nullopt;
  }
  if (!fits(*parsed, type.base)) type.base = Type::s64;
  return CExpression{Operand(integer(*parsed)), std::nullopt, type, {}};
}

std::optional<CExpression> CFunctionReader::variable() {
  const Token name = cursor_.next();
  const Symbol* symbol = find(name);
  if (symbol == nullptr) return std::nullopt;
  CExpression result{Operand(symbol->reg), std::nullopt, symbol->type, {}};
  // A parameter's register is never written, so that its address can stand for it at once.
  if (symbol->parameter) result.pending = Operand(builder_[ObservedRegister{thread_, symbol->reg}].initial);
  return result;
}

std::optional<CExpression> CFunctionReader::cast(const CType& type, CExpression expression) {
  if (type.is_bool && type.pointers == 0) return truth(std::move(expression));
  if (type.pointers > 0) {
    if (expression.reads_memory() || std::holds_alternative<Compute>(expression.pending) ||
        std::holds_alternative<Select>(expression.pending)) {
      std::optional<Operand> operand = value(std::move(expression));
      if (!operand) return std::nullopt;
      return CExpression{*operand, std::nullopt, type, {}};
    }
    expression.type = type;
    return expression;
  }
  const Type from = expression.type.value();
  std::optional<Operand> operand = value(std::move(expression));
  if (!operand) return std::nullopt;
  if (auto* constant = std::get_if<Value>(&*operand); constant != nullptr && !constant->base) {
    constant->number = wrap(constant->number, type.base);
  } else if (from != type.base) {
    return CExpression{compute(ComputeOp::mov, *operand, std::nullopt), std::nullopt, plain_type(type.base), {}};
  }
  return CExpression{*operand, std::nullopt, plain_type(type.base), {}};
}

std::optional<CExpression> CFunctionReader::truth(CExpression expression) {
  const auto* inside = std::get_if<Compute>(&expression.pending);
  if (inside != nullptr && is_comparison(inside->op)) return expression;
  std::optional<Operand> operand = value(std::move(expression));
  if (!operand) return std::nullopt;
  return CExpression{compute(ComputeOp::ne, *operand, Operand(integer(0))), std::nullopt, CType{}, {}};
}

// ---- emitting ----

Instruction& CFunctionReader::emit(Operation operation, base::Span span) {
  return builder_.emit(thread_, std::move(operation), span);
}

void CFunctionReader::collect_words() {
  Mistakes told_elsewhere(cursor_.source());
  Cursor reader(told_elsewhere, {body_begin_, cursor_.end()});
  reader.set_nested_comments(false);
  for (int depth = 0; !reader.at_end() && depth >= 0;) {
    const Token token = reader.next();
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
    if (token.kind == Token::Kind::word && token.text.starts_with(kCTemporary)) words_.push_back(token.text);
  }
}

RegisterId CFunctionReader::temporary(Type type) {
  if (next_temporary_ == 0) collect_words();
  std::string name;
  do {
    name = fmt::format("{}{}", kCTemporary, next_temporary_++);
  } while (std::find(words_.begin(), words_.end(), name) != words_.end() || builder_.find_register(thread_, name));
  const RegisterId reg = builder_.reg(thread_, name);
  builder_[ObservedRegister{thread_, reg}].type = type;
  return reg;
}

std::optional<Operand> CFunctionReader::value(CExpression expression) {
  if (const auto* operand = std::get_if<Operand>(&expression.pending)) return *operand;
  if (const auto* place = std::get_if<Address>(&expression.pending)) {
    if (!place->index) return Operand(Value{place->offset, place->location});
    if (!place->location && place->offset == 0) return Operand(*place->index);
  }
  if (std::holds_alternative<std::monostate>(expression.pending)) {
    cursor_.mistake(expression.span, "expected a value; this call gives none");
    return std::nullopt;
  }
  const RegisterId target = temporary(expression.type.value());
  if (!assign(target, std::move(expression))) return std::nullopt;
  return Operand(target);
}

bool CFunctionReader::assign(RegisterId target, CExpression expression) {
  const base::Span span = expression.span;
  if (auto* load = std::get_if<Load>(&expression.pending)) {
    load->target = target;
    emit(*load, span);
  } else if (auto* rmw = std::get_if<Rmw>(&expression.pending)) {
    if (rmw->op == RmwOp::cas && face_ != CFace::linux_kernel) {
      if (rmw->target == target) {
        cursor_.mistake(span, "the result and the expected value of a compare-exchange must be different variables");
        return false;
      }
      emit_compare_exchange(std::move(expression), target);
      return true;
    }
    // Whether a lock was taken, else the old value.
    (rmw->access.tags.has(Tag::lock) ? rmw->success : rmw->target) = target;
    emit(*rmw, span);
  } else if (auto* operation = std::get_if<Compute>(&expression.pending)) {
    operation->target = target;
    emit(*operation, span);
  } else if (auto* select = std::get_if<Select>(&expression.pending)) {
    select->target = target;
    emit(*select, span);
  } else {
    const auto* place = std::get_if<Address>(&expression.pending);
    Compute result;
    if (place != nullptr && place->index && place->location) {
      result = compute(ComputeOp::add, Value{place->offset, place->location}, Operand(*place->index));
    } else if (place != nullptr && place->index && place->offset != 0) {
      result = compute(ComputeOp::add, *place->index, Operand(integer(place->offset)));
    } else {
      std::optional<Operand> operand = value(std::move(expression));
      if (!operand) return false;
      result = compute(ComputeOp::mov, *operand, std::nullopt);
    }
    result.target = target;
    emit(result, span);
  }
  return true;
}

bool CFunctionReader::discard(CExpression expression) {
  if (auto* load = std::get_if<Load>(&expression.pending)) {
    load->target = temporary(load->access.type);
    emit(*load, expression.span);
  } else if (auto* rmw = std::get_if<Rmw>(&expression.pending)) {
    // The kernel's model tells operations that return something from those that do not.
    if (face_ == CFace::linux_kernel) return assign(temporary(rmw->access.type), std::move(expression));
    if (rmw->op == RmwOp::cas) {
      std::optional<RegisterId> success;
      if (expression.write_back) success = temporary(Type::s32);
      emit_compare_exchange(std::move(expression), success);
    } else {
      emit(*rmw, expression.span);
    }
  }
  return true;
}

void CFunctionReader::emit_compare_exchange(CExpression expression, std::optional<RegisterId> success) {
  Rmw rmw = std::get<Rmw>(expression.pending);
  rmw.success = success;
  emit(rmw, expression.span);
  if (!expression.write_back) return;
  const std::string done = fresh_label();
  jump(done, Comparison{CompareOp::ne, *success, integer(0)}, expression.span);
  Store store;
  store.access = *expression.write_back;
  store.value = *rmw.target;
  emit(store, expression.span);
  place(done, expression.span);
}

}  // namespace weakspot::litmus

// SPDX-License-Identifier: MIT
#include "litmus/c/c_function.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::litmus {
namespace {

constexpr int kDeepestStatement = 200;

// Offsets beyond this cannot be meant, and staying below keeps sums of them from overflowing.
constexpr std::int64_t kLargestOffset = std::int64_t{1} << 31;

}  // namespace

CFunction::CFunction(Cursor& text, TestBuilder& into, CFace kind, ThreadId number)
    : cursor(text), builder(into), face(kind), thread(number) {
  blocks.emplace_back();
}

bool CFunction::enter(std::string_view what) {
  if (++nesting <= kDeepestStatement) return true;
  cursor.mistake(cursor.peek().span, fmt::format("{} is nested more than {} deep", what, kDeepestStatement));
  --nesting;
  return false;
}

// ---- names ----

// A variable of an inner block whose block is closed may come again in another block: both are one register.
void CFunction::declare(const Token& name, const CType& type) {
  if (is_c_word(name.text, face)) {
    cursor.mistake(name.span, fmt::format("{} cannot be the name of a variable", describe(name)));
    return;
  }
  auto found = symbols.find(name.text);
  if (found != symbols.end() && found->second.open) {
    cursor.mistake(name.span, fmt::format("{} is declared twice", describe(name)));
    return;
  }
  if (found != symbols.end() && found->second.type.value() != type.value()) {
    cursor.mistake(name.span, fmt::format("{} is declared with another type in another block; expected one type for "
                                          "each name",
                                          describe(name)));
    return;
  }
  const RegisterId reg = builder.reg(thread, name.text);
  builder[ObservedRegister{thread, reg}].type = type.value();
  symbols.insert_or_assign(std::string(name.text), Symbol{type, reg, false, true});
  blocks.back().emplace_back(name.text);
}

CFunction::Symbol* CFunction::find(const Token& name) {
  auto found = symbols.find(name.text);
  if (found == symbols.end()) {
    // A register of the initial state needs no declaration.
    if (std::optional<RegisterId> reg = builder.find_register(thread, name.text);
        reg && !name.text.starts_with(kCTemporary)) {
      CType type;
      type.base = builder[ObservedRegister{thread, *reg}].type;
      return &symbols.emplace(name.text, Symbol{type, *reg, false, true}).first->second;
    }
    if (missed.contains(name.text)) return nullptr;
    if (face == CFace::linux_kernel && !builder.find_location(name.text) && !is_c_word(name.text, face)) {
      CType type;
      type.base = Type::s64;
      declare(name, type);
      // The variable belongs to the whole function, in whichever block it is first used.
      blocks.front().push_back(std::move(blocks.back().back()));
      blocks.back().pop_back();
      return &symbols.find(name.text)->second;
    }
    const bool location = builder.find_location(name.text).has_value();
    cursor.mistake(name.span, fmt::format("{} is not declared in this function{}", describe(name),
                                          location ? "; a location is reached through a parameter" : ""));
    return nullptr;
  }
  if (!found->second.open) {
    cursor.mistake(name.span, fmt::format("{} is declared in another block only", describe(name)));
    return nullptr;
  }
  return &found->second;
}

void CFunction::close_block() {
  for (const std::string& name : blocks.back()) symbols.find(name)->second.open = false;
  blocks.pop_back();
}

// ---- emitting ----

Instruction& CFunction::emit(Operation operation, base::Span span) {
  return builder.emit(thread, std::move(operation), span);
}

std::string CFunction::fresh_label() { return fmt::format("{}{}", kCFreshLabel, next_label++); }

void CFunction::place(const std::string& label, base::Span span) { emit(Label{label}, span); }

void CFunction::jump(const std::string& label, std::optional<Comparison> condition, base::Span span) {
  emit(Branch{label, std::move(condition)}, span);
}

void CFunction::collect_words() {
  Mistakes told_elsewhere(cursor.source());
  Cursor reader(told_elsewhere, {body_begin, cursor.end()});
  reader.set_nested_comments(false);
  for (int depth = 0; !reader.at_end() && depth >= 0;) {
    const Token token = reader.next();
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
    if (token.kind == Token::Kind::word && token.text.starts_with(kCTemporary)) words.push_back(token.text);
  }
}

RegisterId CFunction::temporary(Type type) {
  if (next_temporary == 0) collect_words();
  std::string name;
  do {
    name = fmt::format("{}{}", kCTemporary, next_temporary++);
  } while (std::find(words.begin(), words.end(), name) != words.end() || builder.find_register(thread, name));
  const RegisterId reg = builder.reg(thread, name);
  builder[ObservedRegister{thread, reg}].type = type;
  return reg;
}

std::optional<Operand> CFunction::value(CExpression expression) {
  if (const auto* operand = std::get_if<Operand>(&expression.pending)) return *operand;
  if (const auto* place = std::get_if<Address>(&expression.pending)) {
    if (!place->index) return Operand(Value{place->offset, place->location});
    if (!place->location && place->offset == 0) return Operand(*place->index);
  }
  if (std::holds_alternative<std::monostate>(expression.pending)) {
    cursor.mistake(expression.span, "expected a value; this call gives none");
    return std::nullopt;
  }
  const RegisterId target = temporary(expression.type.value());
  if (!assign(target, std::move(expression))) return std::nullopt;
  return Operand(target);
}

bool CFunction::assign(RegisterId target, CExpression expression) {
  const base::Span span = expression.span;
  if (auto* load = std::get_if<Load>(&expression.pending)) {
    load->target = target;
    emit(*load, span);
  } else if (auto* rmw = std::get_if<Rmw>(&expression.pending)) {
    if (rmw->op == RmwOp::cas && face != CFace::linux_kernel) {
      if (rmw->target == target) {
        cursor.mistake(span, "the result and the expected value of a compare-exchange must be different variables");
        return false;
      }
      emit_compare_exchange(std::move(expression), target);
      return true;
    }
    // A lock returns whether it was taken, other operations the old value.
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
      result = Compute{ComputeOp::add, {}, Value{place->offset, place->location}, Operand(*place->index)};
    } else if (place != nullptr && place->index && place->offset != 0) {
      result = Compute{ComputeOp::add, {}, *place->index, Operand(integer(place->offset))};
    } else {
      std::optional<Operand> operand = value(std::move(expression));
      if (!operand) return false;
      result = Compute{ComputeOp::mov, {}, *operand, std::nullopt};
    }
    result.target = target;
    emit(result, span);
  }
  return true;
}

bool CFunction::discard(CExpression expression) {
  if (auto* load = std::get_if<Load>(&expression.pending)) {
    load->target = temporary(load->access.type);
    emit(*load, expression.span);
  } else if (auto* rmw = std::get_if<Rmw>(&expression.pending)) {
    // The kernel's model tells operations that return something from those that do not.
    if (face == CFace::linux_kernel) return assign(temporary(rmw->access.type), std::move(expression));
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

void CFunction::emit_compare_exchange(CExpression expression, std::optional<RegisterId> success) {
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

// ---- kinds of values ----

std::optional<CExpression> CFunction::truth(CExpression expression) {
  const auto* inside = std::get_if<Compute>(&expression.pending);
  if (inside != nullptr && is_comparison(inside->op)) return expression;
  std::optional<Operand> operand = value(std::move(expression));
  if (!operand) return std::nullopt;
  return CExpression{Compute{ComputeOp::ne, {}, *operand, Operand(integer(0))}, std::nullopt, CType{}, {}};
}

std::optional<Comparison> CFunction::comparison_of(CExpression expression) {
  if (const auto* compute = std::get_if<Compute>(&expression.pending)) {
    for (CompareOp op : {CompareOp::eq, CompareOp::ne, CompareOp::lt, CompareOp::le, CompareOp::gt, CompareOp::ge}) {
      if (as_compute(op) == compute->op) return Comparison{op, compute->left, *compute->right};
    }
  }
  std::optional<Operand> operand = value(std::move(expression));
  if (!operand) return std::nullopt;
  return Comparison{CompareOp::ne, *operand, integer(0)};
}

void CFunction::take_as_pointer(CExpression& expression) const {
  if (face == CFace::linux_kernel && expression.type.pointers == 0) expression.type.pointers = 1;
}

std::optional<Address> CFunction::address(CExpression expression) {
  if (expression.type.pointers == 0) {
    cursor.mistake(expression.span, "expected a pointer here");
    return std::nullopt;
  }
  if (const auto* known = std::get_if<Address>(&expression.pending)) return *known;
  const base::Span span = expression.span;
  std::optional<Operand> operand = value(std::move(expression));
  if (!operand) return std::nullopt;
  Address result;
  if (const auto* reg = std::get_if<RegisterId>(&*operand)) {
    result.index = *reg;
    return result;
  }
  const Value& constant = std::get<Value>(*operand);
  if (!constant.base) {
    cursor.mistake(span, "expected a pointer, found a number");
    return std::nullopt;
  }
  result.location = constant.base;
  result.offset = constant.number;
  return result;
}

// pointer +- index elements; stays an address as long as one register is enough for it.
std::optional<CExpression> CFunction::pointer_sum(CExpression pointer, CExpression index, bool minus) {
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
      cursor.mistake({span.begin, cursor.last_end()}, "this pointer is too far from where it started");
      return std::nullopt;
    }
    sum->offset += constant->number * scale;
    return CExpression{*sum, std::nullopt, type, {}};
  }
  if (scale != 1) {
    const RegisterId scaled = temporary(Type::s64);
    Compute times = Compute{ComputeOp::mul, {}, *amount, Operand(integer(scale))};
    times.target = scaled;
    emit(times, span);
    amount = scaled;
  }
  if (!sum->index && sum->location) {
    sum->index = std::get<RegisterId>(*amount);
    return CExpression{*sum, std::nullopt, type, {}};
  }
  std::optional<Operand> from = value({*sum, std::nullopt, type, span});
  if (!from) return std::nullopt;
  return CExpression{Compute{ComputeOp::add, {}, *from, *amount}, std::nullopt, type, {}};
}

Access CFunction::plain_access(const Address& address, const CType& pointer) const {
  Access access;
  access.address = address;
  access.order = Order::plain;
  access.type = pointer.pointee().value();
  if (pointer.pointers > 1) return access;
  if (pointer.is_volatile) access.tags.insert(Tag::volatile_);
  // The access names a space only if it is not the location's.
  const Space known = address.location ? builder.test.locations[address.location->index].space : Space::none;
  if (pointer.space != known) access.space = pointer.space;
  return access;
}

Load CFunction::load_from(const Address& address, const CType& pointer) const {
  Load load;
  load.access = plain_access(address, pointer);
  return load;
}

}  // namespace weakspot::litmus

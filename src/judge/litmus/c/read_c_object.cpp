// SPDX-License-Identifier: MIT
// Elements of arrays and the addresses of objects in memory.
#include "litmus/c/c_function.h"

namespace weakspot::litmus {

// pointer[index]
std::optional<CExpression> read_c_element(CFunction& f, CExpression pointer) {
  const std::uint32_t begin = pointer.span.begin;
  f.take_as_pointer(pointer);
  if (pointer.type.pointers == 0) {
    f.cursor.mistake(pointer.span, "expected a pointer before '['");
    return std::nullopt;
  }
  if (pointer.reads_memory()) {
    const CType type = pointer.type;
    const base::Span span = pointer.span;
    std::optional<Operand> held = f.value(std::move(pointer));
    if (!held) return std::nullopt;
    pointer = CExpression{*held, std::nullopt, type, span};
  }
  const CType type = pointer.type;
  f.cursor.next();
  std::optional<CExpression> index = read_c_expression(f);
  if (!index || !f.cursor.expect("]", "after the index")) return std::nullopt;
  if (index->type.pointers > 0) {
    f.cursor.mistake(index->span, "expected a number as index, found a pointer");
    return std::nullopt;
  }
  std::optional<CExpression> sum = f.pointer_sum(std::move(pointer), std::move(*index), false);
  if (!sum) return std::nullopt;
  sum->span = {begin, f.cursor.last_end()};
  std::optional<Address> place = f.address(std::move(*sum));
  if (!place) return std::nullopt;
  return CExpression{f.load_from(*place, type), std::nullopt, type.pointee(), {begin, f.cursor.last_end()}};
}

// &x[1], &*p: an object in memory that is not read after all.
std::optional<CExpression> read_c_address_of_object(CFunction& f, const Token& sign) {
  Cursor ahead = f.cursor;
  const bool name = ahead.next().kind == Token::Kind::word && !ahead.peek().is("[");
  std::optional<CExpression> inner;
  if (!name) {
    inner = read_c_unary(f);
    if (!inner) return std::nullopt;
  }
  const auto* load = inner ? std::get_if<Load>(&inner->pending) : nullptr;
  if (load == nullptr || load->access.order != Order::plain) {
    f.cursor.mistake(sign.span,
                     "an address is taken only of an element such as x[1], and of a local variable as the expected "
                     "value of a compare-exchange; parameters are pointers already");
    return std::nullopt;
  }
  CType type = inner->type;
  ++type.pointers;
  return CExpression{load->access.address, std::nullopt, type, {}};
}

}  // namespace weakspot::litmus

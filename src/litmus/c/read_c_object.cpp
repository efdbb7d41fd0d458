// SPDX-License-Identifier: MIT
// Pointers, elements of arrays, and the objects in memory that they lead to.
#include <fmt/format.h>

#include "litmus/c/c_reader.h"

namespace weakspot::litmus {

// pointer[index]
std::optional<CExpression> CFunctionReader::element(CExpression pointer) {
  const std::uint32_t begin = pointer.span.begin;
  take_as_pointer(pointer);
  if (pointer.type.pointers == 0) {
    cursor_.mistake(pointer.span, "expected a pointer before '['");
    return std::nullopt;
  }
  if (pointer.reads_memory()) {
    const CType type = pointer.type;
    const base::Span span = pointer.span;
    std::optional<Operand> held = value(std::move(pointer));
    if (!held) return std::nullopt;
    pointer = CExpression{*held, std::nullopt, type, span};
  }
  const CType type = pointer.type;
  cursor_.next();
  std::optional<CExpression> index = expression();
  if (!index || !cursor_.expect("]", "after the index")) return std::nullopt;
  if (index->type.pointers > 0) {
    cursor_.mistake(index->span, "expected a number as index, found a pointer");
    return std::nullopt;
  }
  std::optional<CExpression> sum = pointer_sum(std::move(pointer), std::move(*index), false);
  if (!sum) return std::nullopt;
  sum->span = {begin, cursor_.last_end()};
  std::optional<Address> place = address(std::move(*sum));
  if (!place) return std::nullopt;
  return CExpression{load_from(*place, type), std::nullopt, type.pointee(), {begin, cursor_.last_end()}};
}

// &x[1], &*p: an object in memory that is not read after all.
std::optional<CExpression> CFunctionReader::address_of_object(const Token& sign) {
  Cursor ahead = cursor_;
  const bool name = ahead.next().kind == Token::Kind::word && !ahead.peek().is("[");
  std::optional<CExpression> inner;
  if (!name) {
    inner = unary();
    if (!inner) return std::nullopt;
  }
  const auto* load = inner ? std::get_if<Load>(&inner->pending) : nullptr;
  if (load == nullptr || load->access.order != Order::plain) {
    cursor_.mistake(sign.span,
                    "an address is taken only of an element such as x[1], and of a local variable as the expected "
                    "value of a compare-exchange; parameters are pointers already");
    return std::nullopt;
  }
  CType type = inner->type;
  ++type.pointers;
  return CExpression{load->access.address, std::nullopt, type, {}};
}

void CFunctionReader::take_as_pointer(CExpression& expression) const {
  if (face_ == CFace::linux_kernel && expression.type.pointers == 0) expression.type.pointers = 1;
}

std::optional<Address> CFunctionReader::address(CExpression expression) {
  if (expression.type.pointers == 0) {
    cursor_.mistake(expression.span, "expected a pointer here");
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
    cursor_.mistake(span, "expected a pointer, found a number");
    return std::nullopt;
  }
  result.location = constant.base;
  result.offset = constant.number;
  return result;
}

Access CFunctionReader::plain_access(const Address& address, const CType& pointer) const {
  Access access;
  access.address = address;
  access.order = Order::plain;
  access.type = pointer.pointee().value();
  if (pointer.pointers > 1) return access;
  if (pointer.is_volatile) access.tags.insert(Tag::volatile_);
  // The access names a space only if it is not the location's.
  const Space known = address.location ? builder_.test.locations[address.location->index].space : Space::none;
  if (pointer.space != known) access.space = pointer.space;
  return access;
}

Load CFunctionReader::load_from(const Address& address, const CType& pointer) const {
  Load load;
  load.access = plain_access(address, pointer);
  return load;
}

}  // namespace weakspot::litmus

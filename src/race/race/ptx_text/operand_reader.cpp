// SPDX-License-Identifier: MIT
#include "race/ptx_text/operand_reader.h"

namespace weakspot::race::ptx {
namespace {

// Names that begin with a percent sign and end with a number are registers, except for a few of the machine's.
bool is_undeclared(std::string_view name) {
  if (!name.starts_with('%') || name.empty() || name.back() < '0' || name.back() > '9') return false;
  for (const std::string_view special : {"%envreg", "%pm", "%clock64", "%reserved_smem_offset_"}) {
    if (name.starts_with(special)) return false;
  }
  return true;
}

}  // namespace

bool OperandReader::read_number(Operand& operand) {
  const bool minus = take_if('-');
  const std::optional<Number> number =
      now().kind == Token::Kind::number ? parse_number(now().text) : std::optional<Number>();
  if (!number) return fail_expected("a number");
  ++at_;
  operand.kind = number->real ? Operand::Kind::real : Operand::Kind::integer;
  operand.number = number->value;
  operand.bits = number->bits;
  if (!minus) return true;
  operand.number =
      !number->real ? 0 - number->value : number->value ^ (std::uint64_t{1} << (number->bits == 32 ? 31 : 63));
  return true;
}

bool OperandReader::read_list(Operand& operand, char end, std::size_t depth) {
  ++at_;
  while (!take_if(end)) {
    if (!operand.elements.empty() && !need(',')) return false;
    if (!read_operand(operand.elements.emplace_back(), depth + 1)) return false;
  }
  return true;
}

bool OperandReader::read_operand(Operand& operand, std::size_t depth) {
  operand.span = now().span;
  if (depth > 4) return fail_at(now().span, "operands are nested too deeply");
  bool read = false;
  if (now().is('{')) {
    operand.kind = Operand::Kind::vector;
    read = read_list(operand, '}', depth);
  } else if (now().is('(')) {
    operand.kind = Operand::Kind::list;
    read = read_list(operand, ')', depth);
  } else if (now().is('[')) {
    read = read_address(operand, depth);
  } else if (take_if('!')) {
    operand.negated = true;
    read = read_name(operand);
  } else if (now().kind == Token::Kind::name) {
    read = read_name(operand) && (operand.kind != Operand::Kind::name || read_offset(operand));
  } else {
    read = read_number(operand);
  }
  operand.span.end = tokens_[at_ - (at_ > 0 ? 1 : 0)].span.end;
  return read;
}

// A register, a vector of registers, or a name that stands for something else.
bool OperandReader::read_name(Operand& operand) {
  const base::Span span = now().span;
  std::string name;
  if (!take_name(name, "an operand")) return false;
  operand.reg = scopes_->find_register(name);
  if (operand.reg != kNone) {
    operand.kind = Operand::Kind::reg;
    if (now().kind == Token::Kind::dotted && now().joined)
      return fail_at(now().span, fmt::format("'{}' is not a vector, so that it has no parts", name));
    return true;
  }
  if (const std::vector<std::size_t> lanes = scopes_->find_vector(name); !lanes.empty()) {
    return read_vector(operand, lanes);
  }
  while (now().kind == Token::Kind::dotted && now().joined) name += "." + std::string(take().text);
  const std::string variable = scopes_->find_variable(name);
  operand.kind = Operand::Kind::name;
  operand.name = variable.empty() ? name : variable;
  return !is_undeclared(name) || fail_at(span, fmt::format("'{}' is not declared", name));
}

// "+4" behind an address.
bool OperandReader::read_offset(Operand& operand) {
  while (now().is('+') || now().is('-')) {
    const bool minus = take().is('-');
    Operand offset;
    const base::Span span = now().span;
    if (!read_number(offset)) return false;
    if (offset.kind != Operand::Kind::integer) return fail_at(span, "an offset is a whole number");
    operand.number += minus ? 0 - offset.number : offset.number;
  }
  return true;
}

// Behind the name of a vector: all of it, or a part such as .x or .r.
bool OperandReader::read_vector(Operand& operand, const std::vector<std::size_t>& lanes) {
  if (now().kind == Token::Kind::dotted && now().joined) {
    const std::string_view part = now().text;
    const std::size_t lane = part.size() != 1 ? std::string_view::npos : std::string_view("xyzwrgba").find(part);
    if (lane == std::string_view::npos || lane % 4 >= lanes.size()) {
      return fail_at(now().span, fmt::format("the vector has no part '{}'", part));
    }
    ++at_;
    operand.kind = Operand::Kind::reg;
    operand.reg = lanes[lane % 4];
    return true;
  }
  operand.kind = Operand::Kind::vector;
  for (const std::size_t lane : lanes) {
    Operand& element = operand.elements.emplace_back();
    element.kind = Operand::Kind::reg;
    element.reg = lane;
    element.span = operand.span;
  }
  return true;
}

bool OperandReader::read_address(Operand& operand, std::size_t depth) {
  ++at_;
  if (now().kind == Token::Kind::name) {
    if (!read_name(operand)) return false;
  } else if (!read_number(operand)) {
    return false;
  }
  if (operand.kind == Operand::Kind::vector) return fail_at(operand.span, "a vector is not an address");
  operand.kind = Operand::Kind::address;
  if (!read_offset(operand)) return false;
  while (take_if(',')) {
    if (!read_operand(operand.elements.emplace_back(), depth + 1)) return false;
  }
  return need(']');
}

}  // namespace weakspot::race::ptx

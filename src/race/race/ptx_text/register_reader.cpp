// SPDX-License-Identifier: MIT
#include "race/ptx_text/register_reader.h"

#include <fmt/format.h>

#include <optional>

namespace weakspot::race::ptx {

bool RegisterReader::read_register_type(RegisterType& type) {
  ++at_;
  if (now().is_dotted("v2") || now().is_dotted("v4")) type.lanes = now().is_dotted("v2") ? 2 : 4;
  if (type.lanes > 1) ++at_;
  if (now().kind != Token::Kind::dotted || !type_size(now().text)) return fail_expected("a type");
  type.name = std::string(take().text);
  return true;
}

bool RegisterReader::read_registers() {
  RegisterType type;
  if (!read_register_type(type)) return false;
  do {
    const base::Span span = now().span;
    std::string name;
    if (!take_name(name, "a register")) return false;
    std::optional<std::uint64_t> count;
    if (take_if('<')) {
      if (!take_number(count.emplace(), "a number of registers") || !need('>')) return false;
    }
    if (!scopes_->declare_register(name, type.name, count, type.lanes)) {
      return fail_at(span, fmt::format("'{}' is declared in these braces already", name));
    }
  } while (take_if(','));
  return need(';');
}

bool RegisterReader::read_register_parameter(std::vector<Variable>& to) {
  RegisterType type;
  std::string name;
  Variable parameter;
  if (!read_register_type(type)) return false;
  parameter.span = now().span;
  if (!take_name(name, "a register")) return false;
  parameter.space = Space::parameter;
  parameter.type = type.name;
  parameter.reg = 0;  // until the body is read
  for (unsigned i = 0; i < type.lanes; ++i) {
    parameter.name = type.lanes == 1 ? name : fmt::format("{}.{}", name, "xyzw"[i]);
    to.push_back(parameter);
  }
  register_parameters_.emplace_back(std::move(name), std::move(type));
  return true;
}

bool RegisterReader::declare_register_parameters(Function& function) {
  std::vector<std::size_t> registers;  // in the order of the text: results, then parameters
  for (const auto& [name, type] : register_parameters_) {
    if (!scopes_->declare_register(name, type.name, std::nullopt, type.lanes)) {
      return fail_at(function.span, fmt::format("'{}' is a parameter already", name));
    }
    const std::vector<std::size_t> lanes = scopes_->find_vector(name);
    registers.insert(registers.end(), lanes.begin(), lanes.end());
    if (lanes.empty()) registers.push_back(scopes_->find_register(name));
  }
  std::size_t next = 0;
  for (std::vector<Variable>* list : {&function.results, &function.parameters}) {
    for (Variable& variable : *list) {
      if (variable.reg != kNone) variable.reg = registers[next++];
    }
  }
  return true;
}

}  // namespace weakspot::race::ptx

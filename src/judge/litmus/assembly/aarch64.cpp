// SPDX-License-Identifier: MIT
#include "litmus/assembly/aarch64.h"

#include <fmt/format.h>

namespace weakspot::litmus::aarch64 {

std::optional<RegisterName> register_named(std::string_view text) {
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  RegisterName name;
  if (text[0] == 'W' || text[0] == 'w') {
    name.bits = 32;
  } else if (text[0] != 'X' && text[0] != 'x') {
    return std::nullopt;
  }
  text.remove_prefix(1);
  if (text == "ZR" || text == "zr") {
    name.number = kRegisters;
    return name;
  }
  if (text[0] == '0' && text.size() > 1) return std::nullopt;
  for (char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    name.number = 10 * name.number + (digit - '0');
  }
  if (name.number >= kRegisters) return std::nullopt;
  return name;
}

std::string spell(int number, int bits) {
  const char letter = bits == 64 ? 'X' : 'W';
  return number == kRegisters ? fmt::format("{}ZR", letter) : fmt::format("{}{}", letter, number);
}

std::optional<int> number_of(std::string_view ir_name) {
  const std::optional<RegisterName> name = register_named(ir_name);
  if (!name || name->is_zero() || ir_name[0] != 'X') return std::nullopt;
  return name->number;
}

}  // namespace weakspot::litmus::aarch64

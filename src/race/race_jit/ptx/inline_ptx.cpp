// SPDX-License-Identifier: MIT
#include "race_jit/ptx/inline_ptx.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace weakspot::race_jit {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string ptx_without_comments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i).starts_with("/*")) {
      i = std::min(text.find("*/", i), text.size() - 2) + 1;
    } else {
      result += text[i];
    }
  }
  return result;
}

namespace {

std::optional<long long> parse_number(std::string_view text) {
  const bool negative = text.starts_with("-");
  if (negative) text.remove_prefix(1);
  int base = 10;
  const std::string_view head = text.substr(0, 2);
  const bool bits = (head == "0f" || head == "0F") && text.size() == 10;
  const bool wide_bits = (head == "0d" || head == "0D") && text.size() == 18;
  if (head == "0x" || head == "0X" || bits || wide_bits) {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.ends_with("U") || text.ends_with("u")) text.remove_suffix(1);
  unsigned long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return negative ? -static_cast<long long>(value) : static_cast<long long>(value);
}

// 0.5 or -1e-3; whole numbers are those above.
std::optional<double> parse_real(std::string_view text) {
  if (text.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
  if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return std::nullopt;
  char* end = nullptr;
  const std::string copy(text);
  const double value = std::strtod(copy.c_str(), &end);
  return end == copy.c_str() + copy.size() ? std::optional(value) : std::nullopt;
}

// $0, ${0} or ${0:r}
std::optional<unsigned> parse_assembly_operand(std::string_view text) {
  if (!text.starts_with("$")) return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with("{") && text.ends_with("}")) text = text.substr(1, text.size() - 2);
  text = text.substr(0, text.find(':'));
  unsigned index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return index;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '.' || c == '$';
  });
}

bool add_operands(std::string_view text, std::vector<PtxOperand>& operands);

std::optional<PtxOperand> parse_operand(std::string_view text) {
  text = trim(text);
  PtxOperand operand;
  if (text.starts_with("{") && text.ends_with("}")) {
    operand.kind = PtxOperand::Kind::vector;
    if (!add_operands(text.substr(1, text.size() - 2), operand.elements)) return std::nullopt;
    return operand;
  }
  if (text.starts_with("[") && text.ends_with("]")) {
    std::string_view inner = trim(text.substr(1, text.size() - 2));
    if (const std::size_t comma = inner.find(','); comma != std::string_view::npos) {
      if (!add_operands(trim(inner.substr(comma + 1)), operand.elements)) return std::nullopt;
      if (operand.elements.size() == 1) operand.elements = ptx_elements(PtxOperand(operand.elements.front()));
      inner = trim(inner.substr(0, comma));
    }
    if (const std::size_t plus = inner.find('+'); plus != std::string_view::npos) {
      const std::optional<long long> offset = parse_number(trim(inner.substr(plus + 1)));
      if (!offset) return std::nullopt;
      operand.number = *offset;
      inner = trim(inner.substr(0, plus));
    }
    operand.kind = PtxOperand::Kind::address;
    if (const std::optional<unsigned> index = parse_assembly_operand(inner)) {
      operand.index = *index;
      operand.base_is_name = false;
      return operand;
    }
    if (!is_name(inner)) return std::nullopt;
    operand.name = std::string(inner);
    return operand;
  }
  if (const std::optional<unsigned> index = parse_assembly_operand(text)) {
    operand.kind = PtxOperand::Kind::assembly;
    operand.index = *index;
    return operand;
  }
  if (const std::optional<long long> number = parse_number(text)) {
    operand.kind = PtxOperand::Kind::number;
    operand.number = *number;
    return operand;
  }
  if (const std::optional<double> real = parse_real(text)) {
    operand.kind = PtxOperand::Kind::real;
    operand.real = *real;
    return operand;
  }
  if (!is_name(text)) return std::nullopt;
  operand.name = std::string(text);
  return operand;
}

std::vector<std::string> split_opcode(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t dot = std::min(text.find('.', at), text.size());
    std::string_view word = text.substr(at, dot - at);
    while (word.starts_with(":")) word.remove_prefix(1);
    if (!word.empty()) words.emplace_back(word);
    at = dot + 1;
  }
  return words;
}

// d|p of shfl and match is two operands.
bool add_operands(std::string_view text, std::vector<PtxOperand>& operands) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    for (int depth = 0; end < text.size() && (depth > 0 || (text[end] != ',' && text[end] != '|')); ++end) {
      const char c = text[end];
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    const std::optional<PtxOperand> operand = parse_operand(text.substr(at, end - at));
    if (!operand) return false;
    operands.push_back(*operand);
    at = end + 1;
  }
  return true;
}

}  // namespace

bool PtxInstruction::has(std::string_view word) const {
  return opcode.size() > 1 && std::find(opcode.begin() + 1, opcode.end(), word) != opcode.end();
}

std::optional<std::vector<PtxInstruction>> parse_inline_ptx(std::string_view source) {
  std::string text = ptx_without_comments(source);
  std::vector<PtxInstruction> instructions;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::string_view statement = trim(std::string_view(text).substr(at, end - at));
    at = end + 1;
    while (statement.starts_with("{") || statement.starts_with("}")) statement = trim(statement.substr(1));
    if (statement.empty() || statement.starts_with(".reg")) continue;
    PtxInstruction instruction;
    if (statement.starts_with("@")) {
      const std::size_t space = statement.find_first_of(" \t");
      if (space == std::string_view::npos) return std::nullopt;
      instruction.guard = std::string(statement.substr(1, space - 1));
      statement = trim(statement.substr(space));
    }
    const std::size_t space = std::min(statement.find_first_of(" \t\n"), statement.size());
    instruction.opcode = split_opcode(statement.substr(0, space));
    if (instruction.opcode.empty()) return std::nullopt;
    if (!add_operands(trim(statement.substr(space)), instruction.operands)) return std::nullopt;
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

std::vector<PtxOperand> ptx_elements(const PtxOperand& operand) {
  return operand.kind == PtxOperand::Kind::vector ? operand.elements : std::vector<PtxOperand>{operand};
}

unsigned ptx_type_size(const PtxInstruction& instruction) {
  for (std::size_t i = instruction.opcode.size(); i-- > 1;) {
    const std::string& word = instruction.opcode[i];
    if (word.ends_with("16x2")) return 4;
    if (word == "bf16") return 2;
    if (word.size() < 2 || std::string_view("usbf").find(word[0]) == std::string_view::npos) continue;
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), bits);
    if (error == std::errc() && end == word.data() + word.size() && bits % 8 == 0) return bits / 8;
  }
  return 0;
}

}  // namespace weakspot::race_jit

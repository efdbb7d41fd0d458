// SPDX-License-Identifier: MIT
#include "litmus/text/cell_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/text/columns.h"

namespace weakspot::litmus {

std::optional<RegisterId> CellReader::any_register() {
  std::optional<Token> name = cursor_.word("a register");
  if (!name) return std::nullopt;
  if (name->is("_")) {
    cursor_.mistake(name->span, "expected a register, found '_'");
    return std::nullopt;
  }
  return builder_.reg(thread_, name->text);
}

std::optional<Operand> CellReader::operand() {
  Operand value;
  if (!operand(value)) return std::nullopt;
  return value;
}

bool CellReader::operand(Operand& into) {
  if (cursor_.peek().kind == Token::Kind::word) {
    std::optional<RegisterId> name = reg();
    if (name) into = *name;
    return name.has_value();
  }
  if (has_addresses() && cursor_.peek().is("&")) {
    std::optional<Value> address = read_initial_value(cursor_, builder_);
    if (address) into = *address;
    return address.has_value();
  }
  std::optional<std::int64_t> number =
      cursor_.integer(has_addresses() ? "a register, a number or '&' and a location" : "a register or a number");
  if (number) into = integer(*number);
  return number.has_value();
}

void CellReader::labels() {
  read_labels(cursor_, [this](Label label, base::Span span) { builder_.emit(thread_, std::move(label), span); });
}

bool CellReader::mnemonic() {
  std::optional<Token> word = cursor_.dotted_word("an instruction");
  if (!word) return false;
  const std::string_view text = word->text;
  std::size_t end = std::min(text.find('.'), text.size());
  mnemonic_.word = *word;
  mnemonic_.head = text.substr(0, end);
  mnemonic_.suffixes.clear();
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find('.', begin), text.size());
    const auto at = word->span.begin + static_cast<std::uint32_t>(begin);
    mnemonic_.suffixes.push_back({text.substr(begin, end - begin), {at, at + static_cast<std::uint32_t>(end - begin)}});
  }
  return true;
}

std::optional<Operation> CellReader::branch(std::optional<CompareOp> op) {
  Branch branch;
  if (op) {
    branch.condition.emplace().op = *op;
    if (!operand(branch.condition->left) || !comma()) return std::nullopt;
    if (!operand(branch.condition->right) || !comma()) return std::nullopt;
  }
  std::optional<Token> label = cursor_.word("a label");
  if (!label) return std::nullopt;
  branch.label = label->text;
  return branch;
}

std::optional<Compute> CellReader::computation(ComputeOp op) {
  Compute compute;
  compute.op = op;
  std::optional<RegisterId> into = target();
  if (!into || !comma() || !operand(compute.left)) return std::nullopt;
  compute.target = *into;
  if (!is_unary(op) && (!comma() || !operand(compute.right.emplace()))) return std::nullopt;
  return compute;
}

bool CellReader::rmw_values(Rmw& rmw) {
  if (rmw.op == RmwOp::cas && (!operand(rmw.expected.emplace()) || !comma())) return false;
  return operand(rmw.operand);
}

void CellReader::unknown_suffix(const Suffix& suffix) {
  cursor_.mistake(suffix.span, fmt::format("unknown suffix '.{}' of '{}'", suffix.text, mnemonic_.head));
}

void CellReader::suffix_again(const Suffix& suffix) {
  cursor_.mistake(suffix.span, fmt::format("'.{}' repeats or contradicts another suffix", suffix.text));
}

}  // namespace weakspot::litmus

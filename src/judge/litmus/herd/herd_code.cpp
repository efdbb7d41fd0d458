// SPDX-License-Identifier: MIT
#include "litmus/herd/herd_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "litmus/herd/herd_text.h"
#include "litmus/herd/spelling.h"

namespace weakspot::litmus::herd {
namespace {

using Column = std::vector<std::string>;

// Cells padded to the width of their column, `|` between columns, `;` at the end of a row.
std::string table(const std::vector<Column>& columns) {
  std::size_t rows = 0;
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
    rows = std::max(rows, column.size());
    std::size_t width = 0;
    for (const std::string& cell : column) width = std::max(width, cell.size());
    widths.push_back(width);
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string_view cell = row < columns[i].size() ? std::string_view(columns[i][row]) : std::string_view();
      if (i > 0) text += '|';
      text += ' ';
      text += cell;
      text.append(widths[i] - cell.size() + 1, ' ');
    }
    text += ";\n";
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

// The label that a cell starts with, taken off the cell.
std::optional<std::string_view> take_label(std::string_view& cell) {
  const std::vector<std::string_view> tokens = tokens_of(cell);
  if (tokens.size() < 2 || !is_name(tokens[0]) || tokens[1] != ":") return std::nullopt;
  cell = trimmed(cell.substr(static_cast<std::size_t>(tokens[1].data() - cell.data()) + 1));
  return tokens[0];
}

// ---- assembly ----

using Spell = std::string (*)(std::string_view, const LabelName&);

std::string assembly_text(std::string_view program, Spell spell) {
  std::vector<std::vector<std::string_view>> cells;  // by column
  std::vector<std::string_view> rows = split(program, ';');
  for (std::size_t row = 1; row < rows.size(); ++row) {
    if (rows[row].empty()) continue;
    const std::vector<std::string_view> parts = split(rows[row], '|');
    cells.resize(std::max(cells.size(), parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) cells[i].push_back(parts[i]);
  }
  // Labels of all threads together are numbered in alphabetical order.
  std::map<std::string, std::string, std::less<>> labels;
  for (const auto& column : cells) {
    for (std::string_view cell : column) {
      while (std::optional<std::string_view> label = take_label(cell)) labels.emplace(*label, "");
    }
  }
  std::size_t next = 0;
  for (auto& [label, name] : labels) name = fmt::format("L{:02}", next++);
  const LabelName name_of = [&](std::string_view label) {
    const auto found = labels.find(label);
    return found == labels.end() ? std::string(label) : found->second;
  };
  std::vector<Column> columns;
  for (const auto& column : cells) {
    Column& spelled = columns.emplace_back();
    for (std::string_view cell : column) {
      while (std::optional<std::string_view> label = take_label(cell)) spelled.push_back(name_of(*label) + ":");
      if (!cell.empty()) spelled.push_back(spell(cell, name_of));
    }
  }
  return table(columns);
}

// ---- C ----

// `volatile int* x` without the last star, which herd7 puts back behind the type.
std::string parameter_text(std::string_view parameter) {
  std::string type;
  std::vector<std::string_view> tokens = tokens_of(parameter);
  if (tokens.empty()) return "";
  const std::string_view name = tokens.back();
  tokens.pop_back();
  if (!tokens.empty() && tokens.back() == "*") tokens.pop_back();
  if (tokens.size() > 1 && tokens[0] == "const") std::swap(tokens[0], tokens[1]);
  for (std::string_view token : tokens) {
    if (!type.empty() && token != "*") type += ' ';
    if (token.starts_with("atomic_")) {
      type += "_Atomic ";
      token.remove_prefix(7);
    }
    type += token;
  }
  return fmt::format("{}* {}", type, name);
}

std::size_t matching(std::string_view text, std::size_t at, char open, char close) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) break;
  }
  return at;
}

std::string c_text(std::string_view program) {
  std::vector<Column> columns;
  std::size_t at = 0;
  while ((at = program.find('(', at)) != std::string_view::npos) {
    std::string_view head = trimmed(program.substr(0, at));
    head = head.substr(head.find_last_of(" \t\r\n*") + 1);
    const std::size_t end = matching(program, at, '(', ')');
    std::string parameters;
    for (std::string_view one : split(program.substr(at + 1, end - at - 1), ',')) {
      if (one.empty()) continue;
      if (!parameters.empty()) parameters += ", ";
      parameters += parameter_text(one);
    }
    const std::size_t open = std::min(program.find('{', end), program.size());
    const std::size_t close = matching(program, open, '{', '}');
    if (close >= program.size()) break;
    columns.push_back(
        {fmt::format("{}({}) {{\n{}\n}}\n", head, parameters, program.substr(open + 1, close - open - 1))});
    at = close + 1;
    program = program.substr(at);
    at = 0;
  }
  return table(columns);
}

}  // namespace

std::optional<std::string> code_text(std::string_view arch, std::string_view program) {
  if (arch == "C") return c_text(program);
  if (arch == "AArch64") return assembly_text(program, spell_aarch64);
  if (arch == "X86") return assembly_text(program, spell_x86);
  if (arch == "X86_64") return assembly_text(program, spell_x86_64);
  if (arch == "RISCV") return assembly_text(program, spell_riscv);
  return std::nullopt;
}

}  // namespace weakspot::litmus::herd

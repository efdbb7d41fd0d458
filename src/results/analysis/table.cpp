// SPDX-License-Identifier: MIT
#include "analysis/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "report/html_table.h"
#include "report/markup.h"

namespace weakspot::analysis {
namespace {

// Ten digits, which hide rounding errors: 0.1 + 0.2 is 0.3.
std::string shortest(double number) { return fmt::format("{:.10g}", number); }

std::string shown(const Value& value, const Column& column) {
  const double* number = std::get_if<double>(&value);
  if (number == nullptr) return full_text(value);
  if (column.digits < 0 || !std::isfinite(*number)) return shortest(*number);
  if (column.tiny && *number != 0 && std::abs(*number) < std::pow(10, -column.digits) / 2)
    return fmt::format("{:.2g}", *number);
  return fmt::format("{:.{}f}", *number, column.digits);
}

// For a page, where a column of ten digits says no more than one of four: 0.8135, 12 345 678.
std::string rounded(const Value& value, const Column& column) {
  if (const double* number = std::get_if<double>(&value); number != nullptr && column.digits < 0) {
    return fmt::format("{:.4g}", *number);
  }
  std::string text = shown(value, column);
  if (!std::holds_alternative<std::uint64_t>(value) || text.size() < 5) return text;
  for (std::size_t at = text.size() - 3;; at -= 3) {
    text.insert(at, "\u202f");
    if (at <= 3) return text;
  }
}

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::uint64_t>(value);
}

// Whether each column has numbers; those are aligned to the right.
std::vector<bool> numeric_columns(const Table& table) {
  std::vector<bool> numeric(table.columns.size());
  for (const std::vector<Value>& row : table.rows) {
    WEAKSPOT_CHECK(row.size() == table.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) numeric[i] = numeric[i] || is_number(row[i]);
  }
  return numeric;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string line(const std::vector<std::string>& fields, const std::vector<std::size_t>& widths,
                 const std::vector<bool>& numeric) {
  std::string text = " ";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    text += numeric[i] ? fmt::format(" {:>{}}", fields[i], widths[i]) : fmt::format(" {:<{}}", fields[i], widths[i]);
  }
  while (text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

}  // namespace

std::string full_text(const Value& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const std::uint64_t* count = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *count);
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return "";
}

std::string to_text(const Table& table) {
  const std::vector<bool> numeric = numeric_columns(table);
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : table.columns) lines[0].push_back(column.title);
  for (const std::vector<Value>& row : table.rows) {
    std::vector<std::string>& fields = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) fields.push_back(shown(row[i], table.columns[i]));
  }
  std::vector<std::size_t> widths(table.columns.size());
  for (const std::vector<std::string>& fields : lines) {
    for (std::size_t i = 0; i < fields.size(); ++i) widths[i] = std::max(widths[i], fields[i].size());
  }
  std::string text = table.title + "\n";
  for (const std::vector<std::string>& fields : lines) text += line(fields, widths, numeric);
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(table.columns[i].name);
  text += "\n";
  for (const std::vector<Value>& row : table.rows) {
    WEAKSPOT_CHECK(row.size() == table.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(full_text(row[i]));
    text += "\n";
  }
  return text;
}

std::string to_html(const Table& table) {
  const std::vector<bool> numeric = numeric_columns(table);
  const auto cell = [&](std::size_t column, const std::string& text) {
    return report::HtmlCell{report::escaped_list(text), numeric[column] ? "n" : ""};
  };
  report::HtmlRow head;
  for (std::size_t i = 0; i < table.columns.size(); ++i) head.push_back(cell(i, table.columns[i].title));
  std::vector<report::HtmlRow> rows;
  for (const std::vector<Value>& row : table.rows) {
    report::HtmlRow& cells = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(cell(i, rounded(row[i], table.columns[i])));
  }
  return fmt::format("<h3>{}</h3>\n{}", report::escaped(table.title), report::html_table(head, rows));
}

}  // namespace weakspot::analysis

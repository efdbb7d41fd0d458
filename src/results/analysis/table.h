// SPDX-License-Identifier: MIT
// Tables of results: built once, shown as text, CSV, HTML and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace weakspot::analysis {

using Value = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct Column {
  std::string name;   // in CSV and JSON: mean_rate
  std::string title;  // for people: mean rate /s
  int digits = -1;    // of numbers after the point, for people; -1: as few as needed
  bool tiny = false;  // a number that would be shown as 0 is written as 1.2e-9
};

enum class Audience {
  everyone,
  page,   // too long for a terminal: HTML, CSV, JSON
  files,  // too long for people: CSV and JSON
  terminal,
};

struct Table {
  std::string name;   // name of the CSV file and the JSON array
  std::string title;  // a line above it
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
  Audience audience = Audience::everyone;
};

// The title first, then lines with columns as wide as their widest value and numbers aligned to the right.
std::string to_text(const Table& table);

// RFC 4180, with a line of names. Numbers have the shortest text that reads back as the same number.
std::string to_csv(const Table& table);

std::string to_html(const Table& table);

// The value in full, as CSV has it; empty for none.
std::string full_text(const Value& value);

}  // namespace weakspot::analysis

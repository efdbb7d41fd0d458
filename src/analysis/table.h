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
  int digits = -1;    // after the point, for people; -1: as few as needed
  bool tiny = false;  // a small number is written as 1.2e-9 where its digits would show 0
};

enum class Audience {
  everyone,
  page,   // too long for a terminal: HTML, CSV, JSON
  files,  // too long for people: CSV and JSON
  terminal,
};

struct Table {
  std::string name;   // of the CSV file and the JSON array
  std::string title;  // a line above it
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
  Audience audience = Audience::everyone;
};

// Columns padded to their widest value, numbers to the right; the title first, a newline at the end of each line.
std::string to_text(const Table& table);

// RFC 4180, with a line of names. Numbers in full: the shortest text that reads back the same.
std::string to_csv(const Table& table);

std::string to_html(const Table& table);

// The value in full, as CSV has it; empty for none.
std::string full_text(const Value& value);

}  // namespace weakspot::analysis

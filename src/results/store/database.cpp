// SPDX-License-Identifier: MIT
#include "store/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/real_text.h"
#include "base/source.h"

namespace weakspot::store {

namespace {

// INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4)
std::string insert_statement(std::string_view into, std::size_t columns, std::size_t rows) {
  std::string text = fmt::format("INSERT INTO {} VALUES ", into);
  for (std::size_t row = 0, number = 1; row < rows; ++row) {
    text += row == 0 ? "(" : ", (";
    for (std::size_t column = 0; column < columns; ++column) {
      text += fmt::format("{}${}", column == 0 ? "" : ", ", number++);
    }
    text += ")";
  }
  return text;
}

}  // namespace

base::Status insert_rows(Database& database, std::string_view into, std::size_t columns, const Parameters& values) {
  constexpr std::size_t kRows = 32;  // per statement
  const std::string statement = insert_statement(into, columns, kRows);
  for (std::size_t begin = 0; begin < values.size(); begin += kRows * columns) {
    const std::size_t end = std::min(values.size(), begin + kRows * columns);
    const Parameters part(values.begin() + static_cast<std::ptrdiff_t>(begin),
                          values.begin() + static_cast<std::ptrdiff_t>(end));
    const std::size_t rows = (end - begin) / columns;
    const base::Result<std::int64_t> made =
        database.execute(rows == kRows ? statement : insert_statement(into, columns, rows), part);
    if (!made) return made.errors();
  }
  return base::ok_status();
}

base::Status check_texts(const std::string& place, const Parameters& parameters) {
  for (const Parameter& parameter : parameters) {
    const std::string* text = std::get_if<std::string>(&parameter);
    if (text == nullptr) continue;
    if (text->find('\0') != std::string::npos) {
      return base::error_in(place, "a text with a NUL byte cannot be stored");
    }
    if (base::find_invalid_utf8(*text) != std::string::npos) {
      return base::error_in(place, "a text that is not UTF-8 cannot be stored");
    }
  }
  return base::ok_status();
}

std::int64_t whole_of(const std::optional<std::string>& field) {
  std::int64_t number = 0;
  if (field) std::from_chars(field->data(), field->data() + field->size(), number);
  return number;
}

double real_of(const std::optional<std::string>& field) { return field ? base::read_real(*field).value_or(0) : 0; }

std::string text_of(const std::optional<std::string>& field) { return field.value_or(""); }

Time time_of(const std::optional<std::string>& field) { return Time(Duration(whole_of(field))); }

Parameter parameter_of(Time time) { return std::int64_t{time.time_since_epoch().count()}; }

Parameter parameter_of(const std::string& text) { return text.empty() ? Parameter() : Parameter(text); }

}  // namespace weakspot::store

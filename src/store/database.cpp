// SPDX-License-Identifier: MIT
#include "store/database.h"

#include <charconv>

#include "base/real_text.h"
#include "base/source.h"

namespace weakspot::store {

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

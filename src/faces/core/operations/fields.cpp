// SPDX-License-Identifier: MIT
#include "core/operations/fields.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/source.h"

namespace weakspot::core {
namespace {

using base::JsonValue;

constexpr double kLongestSeconds = 1e6;

}  // namespace

std::string text_field(JsonFields& fields, std::string_view key, std::string_view otherwise) {
  return std::string(fields.string(key).value_or(otherwise));
}

double real_field(JsonFields& fields, std::string_view key, double otherwise, double low, double high) {
  return fields.has(key) ? fields.real(key, low, high) : otherwise;
}

std::uint64_t whole_field(JsonFields& fields, std::string_view key, std::uint64_t otherwise) {
  return fields.has(key) ? fields.whole(key, std::uint64_t{1} << 53) : otherwise;
}

std::vector<std::string> texts_field(JsonFields& fields, std::string_view key) {
  const JsonValue* value = fields.take(key);
  if (value == nullptr) return {};
  if (value->is(JsonValue::Kind::string)) return {value->text()};
  std::vector<std::string> texts;
  bool good = value->is(JsonValue::Kind::array);
  for (const JsonValue& item : value->items()) {
    good = good && item.is(JsonValue::Kind::string);
    texts.push_back(item.text());
  }
  if (!good) fields.unexpected(key, "a text, or an array of texts");
  return texts;
}

base::Status finished(JsonFields& fields) {
  fields.done();
  if (fields.mistakes().any()) return fields.mistakes().take();
  return base::ok_status();
}

base::Source source_field(JsonFields& fields) {
  std::string text = fields.text("text");
  return base::Source(text_field(fields, "file", "test"), std::move(text));
}

model::Limits limits_field(JsonFields& fields) {
  model::Limits limits;
  limits.time = std::chrono::seconds(10);
  limits.memory = std::uint64_t{512} << 20;
  const JsonValue* given = fields.take("limits", JsonValue::Kind::object);
  if (given == nullptr) return limits;
  JsonFields inner(*given, fields.mistakes(), "limits");
  const double seconds = real_field(inner, "seconds", 10, 0, kLongestSeconds);
  limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  limits.memory = whole_field(inner, "memory", limits.memory);
  limits.candidates = whole_field(inner, "candidates", 0);
  limits.unroll =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(whole_field(inner, "unroll", limits.unroll), 1000));
  inner.done();
  return limits;
}

std::optional<litmus::Dialect> dialect_field(JsonFields& fields) {
  const std::optional<std::string_view> name = fields.string("to");
  if (!name) return std::nullopt;
  const std::optional<litmus::Dialect> dialect = litmus::dialect_named(*name);
  if (!dialect) fields.unexpected("to", "the name of a dialect");
  return dialect;
}

}  // namespace weakspot::core

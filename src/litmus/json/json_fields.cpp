#include "litmus/json/json_fields.h"

namespace weakspot::litmus {

namespace {
using JsonKind = JsonValue::Kind;
}  // namespace

JsonFields::JsonFields(const JsonValue& value, Mistakes& mistakes, std::string_view what)
    : value_(value), mistakes_(mistakes), what_(what), valid_(value.is(JsonKind::object)) {
  if (!valid_) mistakes.add(value.span, fmt::format("expected {}: an object, found {}", what, describe(value.kind)));
}

const JsonValue* JsonFields::take(std::string_view key) {
  taken_.insert(key);
  return value_.find(key);
}

const JsonValue* JsonFields::take(std::string_view key, JsonKind kind, bool needed) {
  const JsonValue* member = take(key);
  if (member == nullptr) {
    if (needed && valid_) mistakes_.add(value_.span, fmt::format("{} needs '{}', {}", what_, key, describe(kind)));
    return nullptr;
  }
  if (member->is(kind)) return member;
  mistakes_.add(member->span, fmt::format("'{}' is {}, found {}", key, describe(kind), describe(member->kind)));
  return nullptr;
}

std::optional<std::string_view> JsonFields::string(std::string_view key, bool needed) {
  const JsonValue* member = take(key, JsonKind::string, needed);
  if (member == nullptr) return std::nullopt;
  return member->text;
}

std::optional<std::int64_t> JsonFields::number(std::string_view key, bool needed) {
  const JsonValue* member = take(key, JsonKind::number, needed);
  if (member == nullptr) return std::nullopt;
  return member->number;
}

bool JsonFields::truth(std::string_view key) {
  const JsonValue* member = take(key, JsonKind::boolean);
  return member != nullptr && member->truth;
}

std::optional<std::string_view> JsonFields::word(std::string_view key, std::string_view what, bool needed) {
  std::optional<std::string_view> name = string(key, needed);
  if (!name || is_word(*name)) return name;
  mistake(value_.find(key), fmt::format("the name of {} is made of letters, digits, '_' and '$'", what));
  return std::nullopt;
}

void JsonFields::mistake(const JsonValue* at, std::string message) {
  mistakes_.add(at != nullptr ? at->span : value_.span, std::move(message));
}

void JsonFields::unknown_word(std::string_view key, std::string_view word, std::string_view expected) {
  mistake(value_.find(key), fmt::format("unknown '{}' '{}'; expected {}", key, clipped(word), expected));
}

void JsonFields::done() {
  for (const JsonMember& member : value_.members) {
    if (!taken_.contains(member.key)) {
      mistakes_.add(member.key_span, fmt::format("{} has no '{}'", what_, clipped(member.key)));
    }
  }
}

}  // namespace weakspot::litmus

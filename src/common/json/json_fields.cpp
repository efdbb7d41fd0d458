// SPDX-License-Identifier: MIT
#include "json/json_fields.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/source.h"

namespace weakspot::base {
namespace {

using Kind = JsonValue::Kind;

}  // namespace

std::string found_text(const JsonValue& value, const Source& source) {
  if (value.is(Kind::number)) return clipped(source.slice(value.span()));
  if (value.is(Kind::boolean)) return value.truth() ? "true" : "false";
  return std::string(describe(value.kind()));
}

JsonFields::JsonFields(const JsonValue& value, Mistakes& mistakes, std::string_view what)
    : value_(value), mistakes_(mistakes), what_(what), valid_(value.is(Kind::object)) {
  if (!valid_) {
    mistakes.add(value.span(),
                 fmt::format("expected {}: an object, found {}", what, found_text(value, mistakes.source())));
  }
}

const JsonValue* JsonFields::take(std::string_view key) {
  taken_.push_back(key);
  return value_.find(key);
}

const JsonValue* JsonFields::take(std::string_view key, Kind kind, bool needed) {
  const JsonValue* member = take(key);
  if (member != nullptr ? member->is(kind) : !needed) return member;
  missing_or_unexpected(key, describe(kind));
  return nullptr;
}

std::optional<std::string_view> JsonFields::string(std::string_view key, bool needed) {
  const JsonValue* member = take(key, Kind::string, needed);
  if (member == nullptr) return std::nullopt;
  return member->text();
}

std::optional<std::int64_t> JsonFields::number(std::string_view key, bool needed) {
  const JsonValue* member = take(key, Kind::number, needed);
  if (member == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = member->integer();
  if (!number) unexpected(key, "an integer of 64 bits");
  return number;
}

bool JsonFields::truth(std::string_view key) {
  const JsonValue* member = take(key, Kind::boolean);
  return member != nullptr && member->truth();
}

std::string JsonFields::text(std::string_view key) { return std::string(string(key, true).value_or("")); }

std::vector<std::string> JsonFields::texts(std::string_view key) {
  std::vector<std::string> texts;
  for (const JsonValue& item : list(key)) {
    if (item.is(Kind::string)) {
      texts.push_back(item.text());
    } else {
      mistake(&item, fmt::format("'{}': expected a string, found {}", key, found_text(item, mistakes_.source())));
    }
  }
  return texts;
}

const std::vector<JsonValue>& JsonFields::list(std::string_view key) {
  static const JsonValue kNone;
  const JsonValue* member = take(key, Kind::array, true);
  return (member != nullptr ? *member : kNone).items();
}

bool JsonFields::flag(std::string_view key) {
  const JsonValue* member = take(key, Kind::boolean, true);
  return member != nullptr && member->truth();
}

void JsonFields::missing_or_unexpected(std::string_view key, std::string_view expected) {
  if (has(key)) return unexpected(key, expected);
  // An object that lacks more is probably meant for something else.
  constexpr int kMostMissing = 3;
  if (valid_ && missing_++ < kMostMissing) {
    mistake(nullptr, fmt::format("{} needs '{}', {}", what_, key, expected));
  }
}

std::uint64_t JsonFields::whole(std::string_view key, std::uint64_t most) {
  const JsonValue* member = take(key);
  const std::optional<std::uint64_t> number = member != nullptr ? member->whole() : std::nullopt;
  if (number && *number <= most) return *number;
  missing_or_unexpected(key, fmt::format("an integer from 0 to {}", most));
  return 0;
}

double JsonFields::real(std::string_view key, double low, double high) {
  const JsonValue* member = take(key);
  const std::optional<double> number = member != nullptr ? member->real() : std::nullopt;
  if (number && *number >= low && *number <= high) return *number;
  missing_or_unexpected(key, fmt::format("a number from {} to {}", low, high));
  return 0;
}

double JsonFields::real(std::string_view key, bool (*accepts)(double), std::string_view expected) {
  const JsonValue* member = take(key);
  const std::optional<double> number = member != nullptr ? member->real() : std::nullopt;
  if (number && accepts(*number)) return *number;
  missing_or_unexpected(key, expected);
  return 0;
}

bool JsonFields::format(std::uint64_t expected) {
  const JsonValue* member = take("format", Kind::number, true);
  if (member == nullptr) return false;
  if (member->whole() == expected) return true;
  mistake(member, fmt::format("{} has format {}; this program reads format {}", what_,
                              found_text(*member, mistakes_.source()), expected));
  return false;
}

void JsonFields::mistake(const JsonValue* at, std::string message) {
  mistakes_.add(at != nullptr ? at->span() : value_.span(), std::move(message));
}

void JsonFields::unexpected(std::string_view key, std::string_view expected) {
  const JsonValue* member = value_.find(key);
  WEAKSPOT_CHECK(member != nullptr);
  mistake(member, fmt::format("'{}': expected {}, found {}", key, expected, found_text(*member, mistakes_.source())));
}

void JsonFields::unknown_word(std::string_view key, std::string_view word, std::string_view expected) {
  mistake(value_.find(key), fmt::format("unknown '{}' '{}'; expected {}", key, clipped(word), expected));
}

void JsonFields::done() {
  std::vector<std::string> absent;
  for (const std::string_view key : taken_) {
    if (!has(key)) absent.emplace_back(key);
  }
  for (const JsonMember& member : value_.members()) {
    if (std::find(taken_.begin(), taken_.end(), member.key) == taken_.end()) {
      mistakes_.add(member.key_span, fmt::format("unknown key '{}' in {}{}", clipped(member.key), what_,
                                                 did_you_mean(member.key, absent)));
    }
  }
}

}  // namespace weakspot::base

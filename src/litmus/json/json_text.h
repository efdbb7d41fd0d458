// JSON as text with places: every value knows where it stands, so that what it means can be found wrong at a line and
// a column. Numbers are whole and have 64 bits; an object keeps its members in order and has each key once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::int64_t number = 0;
  std::string text;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;
  base::Span span;

  bool is(Kind expected) const { return kind == expected; }
  const JsonValue* find(std::string_view key) const;
  // Appends a member. The key must be new.
  void add(std::string_view key, JsonValue value);
  void add(std::string_view key, std::string_view value);
};

struct JsonMember {
  std::string key;
  base::Span key_span;
  JsonValue value;
};

JsonValue json_truth(bool truth);
JsonValue json_number(std::int64_t number);
JsonValue json_string(std::string_view text);
JsonValue json_array();
JsonValue json_object();

inline constexpr int kDeepestJson = 512;

// The one value of a text. At the first mistake the rest of the text means nothing, so there is only one.
std::optional<JsonValue> read_json_text(Mistakes& mistakes, int deepest = kDeepestJson);

// On one line: {"a": [1, 2]}.
std::string json_line(const JsonValue& value);
// Over several lines, indented by two spaces; what fits a line stays on it. Ends in a newline.
std::string json_lines(const JsonValue& value);

// "an object", "a string": how messages name what was found.
std::string_view describe(JsonValue::Kind kind);

}  // namespace weakspot::litmus

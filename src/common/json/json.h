// SPDX-License-Identifier: MIT
// JSON: values, one reader and one writer for every JSON text of the program.
//
// A value that was read knows where it stands, so that a wrong one is reported at its line and column
// (json_fields.h does that). Integers of 64 bits and doubles are exact. An object keeps its members in order and has
// each key once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/mistakes.h"
#include "base/result.h"
#include "base/span.h"

namespace weakspot::base {

struct JsonMember;

class JsonValue {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  // Defined below, where JsonMember is complete.
  JsonValue();
  JsonValue(std::nullptr_t);  // NOLINT
  template <std::same_as<bool> Truth>
  JsonValue(Truth truth);  // NOLINT
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  JsonValue(Number number);                          // NOLINT
  JsonValue(double number);                          // NOLINT
  JsonValue(std::string text);                       // NOLINT
  JsonValue(std::string_view text);                  // NOLINT
  JsonValue(const char* text);                       // NOLINT
  JsonValue(std::vector<JsonValue> items);           // NOLINT
  JsonValue(const std::vector<std::string>& texts);  // NOLINT
  explicit JsonValue(std::vector<JsonMember> members);

  Kind kind() const;
  bool is(Kind expected) const { return kind() == expected; }

  // The content; false, "" or nothing for a value of another kind.
  bool truth() const;
  const std::string& text() const;
  const std::vector<JsonValue>& items() const;
  const std::vector<JsonMember>& members() const;

  // Numbers. 3.0 and 1e14 are integers too; nothing if the number does not fit the type.
  std::optional<std::int64_t> integer() const;
  std::optional<std::uint64_t> whole() const;
  std::optional<double> real() const;
  // Written with a fraction or an exponent.
  bool is_real() const { return std::holds_alternative<double>(data_); }

  // The member of this key, or nullptr.
  const JsonValue* find(std::string_view key) const;
  JsonValue* find(std::string_view key);

  // The same, but null for what is missing.
  const JsonValue& at(std::string_view key) const;
  const JsonValue& at(std::size_t index) const;

  // For an object: appends a member, whose key must be new.
  void add(std::string_view key, JsonValue value);
  // For an object: the member of this key, appended as null if missing. A null value becomes an object.
  JsonValue& operator[](std::string_view key);
  // For an array.
  void push_back(JsonValue item);

  Span span() const { return span_; }
  void set_span(Span span) { span_ = span; }

  // By content; 1 and 1.0 differ.
  friend bool operator==(const JsonValue& a, const JsonValue& b);

 private:
  // An integer is unsigned unless it is negative.
  std::variant<std::monostate, bool, std::uint64_t, std::int64_t, double, std::string, std::vector<JsonValue>,
               std::vector<JsonMember>>
      data_;
  Span span_;
};

struct JsonMember {
  JsonMember(std::string name, JsonValue content) : key(std::move(name)), value(std::move(content)) {}

  std::string key;
  Span key_span;
  JsonValue value;

  friend bool operator==(const JsonMember&, const JsonMember&) = default;
};

inline JsonValue::JsonValue() = default;
inline JsonValue::JsonValue(std::nullptr_t) {}
template <std::same_as<bool> Truth>
JsonValue::JsonValue(Truth truth) : data_(truth) {}
template <std::integral Number>
  requires(!std::same_as<Number, bool>)
JsonValue::JsonValue(Number number) {
  if (std::in_range<std::uint64_t>(number)) {
    data_ = static_cast<std::uint64_t>(number);
  } else {
    data_ = static_cast<std::int64_t>(number);
  }
}
inline JsonValue::JsonValue(double number) : data_(number) {}
inline JsonValue::JsonValue(std::string text) : data_(std::move(text)) {}
inline JsonValue::JsonValue(std::string_view text) : data_(std::string(text)) {}
inline JsonValue::JsonValue(const char* text) : data_(std::string(text)) {}
inline JsonValue::JsonValue(std::vector<JsonValue> items) : data_(std::move(items)) {}

JsonValue json_array(std::vector<JsonValue> items = {});

// A member as it is written down in a list. Mutable, so that json_object() can move the value out of the list.
struct JsonField {
  std::string_view key;
  mutable JsonValue value;
};
JsonValue json_object(std::initializer_list<JsonField> fields = {});

inline constexpr int kDeepestJson = 512;

// Reads the one value of a text. Reading ends at the first mistake: what follows one cannot be understood.
std::optional<JsonValue> read_json_text(Mistakes& mistakes, int deepest = kDeepestJson);
Result<JsonValue> read_json_text(const Source& source);
// Reads a part of the source: a line of a file that has a value on each line.
std::optional<JsonValue> read_json_part(Mistakes& mistakes, Span part);

// The writers. Doubles read back as they were; infinities and NaN become null. Bytes that are not UTF-8 become U+FFFD.
std::string json_compact(const JsonValue& value);                   // {"a":[1,2]}
std::string json_line(const JsonValue& value);                      // {"a": [1, 2]}
std::string json_indented(const JsonValue& value, int indent = 2);  // each member and item on a line of its own
// Each value on one line if it fits there, except the outermost. Ends in a newline.
std::string json_lines(const JsonValue& value);

// "an object", "a string": for messages.
std::string_view describe(JsonValue::Kind kind);

}  // namespace weakspot::base

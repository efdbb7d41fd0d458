// SPDX-License-Identifier: MIT
#include "json/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/printable.h"

namespace weakspot::base {
namespace {

using Items = std::vector<JsonValue>;
using Members = std::vector<JsonMember>;

constexpr std::size_t kWidth = 110;

// Beside what must be escaped, everything that a terminal would obey: output as JSON is looked at there as well.
void append_escaped(const CodePoint& point, std::string& out) {
  const auto value = static_cast<std::uint32_t>(point.value);
  if (value < 0x10000) {
    out += fmt::format("\\u{:04x}", value);
  } else {
    out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((value - 0x10000) >> 10), 0xDC00 + (value & 0x3FF));
  }
}

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  while (true) {
    const auto odd = std::find_if(text.begin(), text.end(), [](char c) {
      return static_cast<signed char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\';
    });
    out.append(text.begin(), odd);
    text.remove_prefix(static_cast<std::size_t>(odd - text.begin()));
    if (text.empty()) break;
    constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    const CodePoint point = first_code_point(text);
    const std::size_t special = kSpecial.find(text[0]);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else if (!point.valid) {
      out += "\xEF\xBF\xBD";
    } else if (point.is_control()) {
      append_escaped(point, out);
    } else {
      out += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  out += '"';
}

std::string number_text(double number) {
  if (!std::isfinite(number)) return "null";
  std::string text = fmt::format("{}", number);
  // Or it would be an integer when it is read.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

class JsonWriter {
 public:
  // indent < 0: all on one line. width: what fits on a line of this width is not spread over several.
  JsonWriter(std::string& out, bool spaced, int indent, std::size_t width)
      : out_(out), spaced_(spaced), indent_(indent), width_(width) {}

  void write(const JsonValue& value, std::size_t margin = 0, std::size_t column = 0) {
    switch (value.kind()) {
      case JsonValue::Kind::null:
        out_ += "null";
        break;
      case JsonValue::Kind::boolean:
        out_ += value.truth() ? "true" : "false";
        break;
      case JsonValue::Kind::number:
        append_number(value);
        break;
      case JsonValue::Kind::string:
        append_quoted(value.text(), out_);
        break;
      case JsonValue::Kind::array:
      case JsonValue::Kind::object:
        write_parts(value, margin, column);
    }
  }

 private:
  void append_number(const JsonValue& value) {
    if (value.is_real()) {
      out_ += number_text(*value.real());
    } else if (const std::optional<std::uint64_t> whole = value.whole()) {
      out_ += fmt::format("{}", *whole);
    } else {
      out_ += fmt::format("{}", *value.integer());
    }
  }

  void write_parts(const JsonValue& value, std::size_t margin, std::size_t column) {
    const bool object = value.is(JsonValue::Kind::object);
    const std::size_t count = object ? value.members().size() : value.items().size();
    out_ += object ? '{' : '[';
    if (count != 0) {
      const bool spread = indent_ >= 0 && !fits(value, margin, column);
      JsonWriter inner(out_, spaced_, spread ? indent_ : -1, width_);
      const std::size_t step = spread ? margin + static_cast<std::size_t>(indent_) : 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (spread) {
          out_ += i == 0 ? "\n" : ",\n";
          out_.append(step, ' ');
        } else if (i != 0) {
          out_ += spaced_ ? ", " : ",";
        }
        const std::size_t begin = out_.size();
        if (object) {
          append_quoted(value.members()[i].key, out_);
          out_ += spaced_ ? ": " : ":";
        }
        // One more for the comma.
        inner.write(object ? value.members()[i].value : value.items()[i], step, step + out_.size() - begin + 1);
      }
      if (spread) {
        out_ += '\n';
        out_.append(margin, ' ');
      }
    }
    out_ += object ? '}' : ']';
  }

  // The outermost value is always spread.
  bool fits(const JsonValue& value, std::size_t margin, std::size_t column) const {
    return width_ != 0 && margin != 0 && column + json_line(value).size() <= width_;
  }

  std::string& out_;
  bool spaced_;
  int indent_;
  std::size_t width_;
};

}  // namespace

JsonValue::JsonValue(const std::vector<std::string>& texts) : data_(Items(texts.begin(), texts.end())) {}
JsonValue::JsonValue(std::vector<JsonMember> members) : data_(std::move(members)) {}

JsonValue::Kind JsonValue::kind() const {
  constexpr Kind kKinds[] = {Kind::null,   Kind::boolean, Kind::number, Kind::number,
                             Kind::number, Kind::string,  Kind::array,  Kind::object};
  return kKinds[data_.index()];
}

bool JsonValue::truth() const {
  const bool* truth = std::get_if<bool>(&data_);
  return truth != nullptr && *truth;
}

const std::string& JsonValue::text() const {
  static const std::string kNone;
  const auto* text = std::get_if<std::string>(&data_);
  return text != nullptr ? *text : kNone;
}

const Items& JsonValue::items() const {
  static const Items kNone;
  const auto* items = std::get_if<Items>(&data_);
  return items != nullptr ? *items : kNone;
}

const Members& JsonValue::members() const {
  static const Members kNone;
  const auto* members = std::get_if<Members>(&data_);
  return members != nullptr ? *members : kNone;
}

std::optional<std::uint64_t> JsonValue::whole() const {
  constexpr double kExact = 9007199254740992;  // 2^53: every smaller integer is a double
  if (const auto* whole = std::get_if<std::uint64_t>(&data_)) return *whole;
  const double* real = std::get_if<double>(&data_);
  if (real == nullptr || !(*real >= 0 && *real <= kExact) || std::trunc(*real) != *real) return std::nullopt;
  return static_cast<std::uint64_t>(*real);
}

std::optional<std::int64_t> JsonValue::integer() const {
  if (const auto* negative = std::get_if<std::int64_t>(&data_)) return *negative;
  if (const double* real = std::get_if<double>(&data_); real != nullptr && *real < 0) {
    const std::optional<std::uint64_t> opposite = JsonValue(-*real).whole();
    if (!opposite) return std::nullopt;
    return -static_cast<std::int64_t>(*opposite);
  }
  const std::optional<std::uint64_t> found = whole();
  if (!found || !std::in_range<std::int64_t>(*found)) return std::nullopt;
  return static_cast<std::int64_t>(*found);
}

std::optional<double> JsonValue::real() const {
  if (const double* real = std::get_if<double>(&data_)) return *real;
  if (const auto* whole = std::get_if<std::uint64_t>(&data_)) return static_cast<double>(*whole);
  if (const auto* negative = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*negative);
  return std::nullopt;
}

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

JsonValue* JsonValue::find(std::string_view key) { return const_cast<JsonValue*>(std::as_const(*this).find(key)); }

const JsonValue& JsonValue::at(std::string_view key) const {
  static const JsonValue kNull;
  const JsonValue* member = find(key);
  return member != nullptr ? *member : kNull;
}

const JsonValue& JsonValue::at(std::size_t index) const {
  static const JsonValue kNull;
  return index < items().size() ? items()[index] : kNull;
}

void JsonValue::add(std::string_view key, JsonValue value) {
  auto* members = std::get_if<Members>(&data_);
  WEAKSPOT_CHECK(members != nullptr);
  members->emplace_back(std::string(key), std::move(value));
}

JsonValue& JsonValue::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(data_)) data_ = Members();
  if (JsonValue* known = find(key)) return *known;
  add(key, nullptr);
  return std::get<Members>(data_).back().value;
}

void JsonValue::push_back(JsonValue item) {
  auto* items = std::get_if<Items>(&data_);
  WEAKSPOT_CHECK(items != nullptr);
  items->push_back(std::move(item));
}

bool operator==(const JsonValue& a, const JsonValue& b) { return a.data_ == b.data_; }

JsonValue json_array(std::vector<JsonValue> items) { return JsonValue(std::move(items)); }

JsonValue json_object(std::initializer_list<JsonField> fields) {
  Members members;
  members.reserve(fields.size());
  for (const JsonField& field : fields) members.emplace_back(std::string(field.key), std::move(field.value));
  return JsonValue(std::move(members));
}

std::string json_compact(const JsonValue& value) {
  std::string text;
  JsonWriter(text, false, -1, 0).write(value);
  return text;
}

std::string json_line(const JsonValue& value) {
  std::string text;
  JsonWriter(text, true, -1, 0).write(value);
  return text;
}

std::string json_indented(const JsonValue& value, int indent) {
  std::string text;
  JsonWriter(text, true, indent, 0).write(value);
  return text;
}

std::string json_lines(const JsonValue& value) {
  std::string text;
  JsonWriter(text, true, 2, kWidth).write(value);
  return text + '\n';
}

std::string_view describe(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return "true or false";
    case JsonValue::Kind::number:
      return "a number";
    case JsonValue::Kind::string:
      return "a string";
    case JsonValue::Kind::array:
      return "an array";
    case JsonValue::Kind::object:
      return "an object";
  }
  return "";
}

}  // namespace weakspot::base

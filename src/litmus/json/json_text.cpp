#include "litmus/json/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weakspot::litmus {
namespace {

using JsonKind = JsonValue::Kind;

class JsonReader {
 public:
  JsonReader(Mistakes& mistakes, int deepest)
      : mistakes_(mistakes), text_(mistakes.source().text()), deepest_(deepest) {}

  std::optional<JsonValue> read() {
    std::optional<JsonValue> whole = value(1);
    if (!whole) return std::nullopt;
    skip_blanks();
    if (at_ < text_.size()) return fail("the end of the text after the value"), std::nullopt;
    return whole;
  }

 private:
  std::optional<JsonValue> value(int depth) {
    skip_blanks();
    if (depth > deepest_) return fail_at(at_, fmt::format("values are nested more than {} deep", deepest_));
    JsonValue value;
    value.span.begin = here();
    bool good = false;
    switch (at_ < text_.size() ? text_[at_] : '\0') {
      case '{':
        good = object(value, depth);
        break;
      case '[':
        good = array(value, depth);
        break;
      case '"':
        value.kind = JsonKind::string;
        good = string(value.text);
        break;
      default:
        good = literal(value);
    }
    if (!good) return std::nullopt;
    value.span.end = here();
    return value;
  }

  bool object(JsonValue& value, int depth) {
    value.kind = JsonKind::object;
    ++at_;
    std::set<std::string, std::less<>> keys;
    if (accept('}')) return true;
    do {
      skip_blanks();
      JsonMember member;
      member.key_span.begin = here();
      if (at_ >= text_.size() || text_[at_] != '"') return fail("a key in double quotes");
      if (!string(member.key)) return false;
      member.key_span.end = here();
      if (!keys.insert(member.key).second) {
        mistakes_.add(member.key_span, fmt::format("the key '{}' is there twice", clipped(member.key)));
        return false;
      }
      if (!accept(':')) return fail("':' after the key");
      std::optional<JsonValue> inner = this->value(depth + 1);
      if (!inner) return false;
      member.value = std::move(*inner);
      value.members.push_back(std::move(member));
    } while (accept(','));
    return accept('}') || fail("',' or '}' in the object");
  }

  bool array(JsonValue& value, int depth) {
    value.kind = JsonKind::array;
    ++at_;
    if (accept(']')) return true;
    do {
      std::optional<JsonValue> inner = this->value(depth + 1);
      if (!inner) return false;
      value.items.push_back(std::move(*inner));
    } while (accept(','));
    return accept(']') || fail("',' or ']' in the array");
  }

  // true, false, null or a number
  bool literal(JsonValue& value) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_literal_part(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "true" || word == "false") {
      value.kind = JsonKind::boolean;
      value.truth = word == "true";
      return true;
    }
    if (word == "null") return true;
    if (!word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'))) {
      value.kind = JsonKind::number;
      return number(word, begin, value.number);
    }
    at_ = begin;
    return fail("a value");
  }

  static bool is_literal_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
           c == '.';
  }

  bool number(std::string_view word, std::size_t begin, std::int64_t& number) {
    std::string_view digits = word;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const bool plain = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
                       (digits.size() == 1 || digits[0] != '0');
    std::optional<std::int64_t> parsed;
    if (plain) parsed = parse_integer(digits, negative);
    if (!parsed) {
      mistakes_.add({static_cast<std::uint32_t>(begin), here()}, "expected a whole number of 64 bits");
      return false;
    }
    number = *parsed;
    return true;
  }

  bool string(std::string& text) {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) {
        return fail_at(at_, "a string does not go over the end of a line and has no control characters; use an escape"),
               false;
      }
      if (c == '\\') {
        if (!escape(text)) return false;
      } else {
        text += c;
        ++at_;
      }
    }
    if (at_ >= text_.size()) return fail_at(begin, "this string is not ended"), false;
    ++at_;
    return true;
  }

  bool escape(std::string& text) {
    const std::size_t begin = at_++;
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t known = letter == '\0' ? std::string_view::npos : kLetters.find(letter);
    if (known != std::string_view::npos) {
      text += kMeanings[known];
      ++at_;
      return true;
    }
    std::uint32_t code = 0;
    if (!unit(code)) return fail_at(begin, "unknown escape in the string"), false;
    if (code >= 0xD800 && code < 0xDC00) {
      std::uint32_t low = 0;
      const bool more = at_ < text_.size() && text_[at_] == '\\';
      if (more) ++at_;
      if (!more || !unit(low) || low < 0xDC00 || low > 0xDFFF) {
        return fail_at(begin, "half of a surrogate pair; expected the other half"), false;
      }
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      return fail_at(begin, "half of a surrogate pair; expected the other half before it"), false;
    }
    append_utf8(text, code);
    return true;
  }

  // uXXXX
  bool unit(std::uint32_t& code) {
    if (at_ + 5 > text_.size() || text_[at_] != 'u') return false;
    for (char c : text_.substr(at_ + 1, 4)) {
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        code = code * 16 + static_cast<std::uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        code = code * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
      } else {
        return false;
      }
    }
    at_ += 5;
    return true;
  }

  static void append_utf8(std::string& text, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0 | code >> 6);
      byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      byte(0xE0 | code >> 12);
      byte(0x80 | (code >> 6 & 0x3F));
      byte(0x80 | (code & 0x3F));
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
      byte(0x80 | (code >> 6 & 0x3F));
      byte(0x80 | (code & 0x3F));
    }
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  bool accept(char expected) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  bool fail(std::string_view expected) {
    skip_blanks();
    std::string found = "the end";
    if (at_ < text_.size()) {
      std::size_t length = 1;
      while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0) == 0x80) ++length;
      found = fmt::format("'{}'", text_.substr(at_, length));
    }
    // At the end, just behind the last thing that is there.
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    const std::size_t place = at_ < text_.size() ? at_ : last == std::string_view::npos ? 0 : last + 1;
    fail_at(place, fmt::format("expected {}, found {}", expected, found));
    return false;
  }

  std::nullopt_t fail_at(std::size_t at, std::string message) {
    const auto begin = static_cast<std::uint32_t>(std::min(at, text_.size()));
    const auto end = static_cast<std::uint32_t>(std::min(at + 1, text_.size()));
    mistakes_.add({begin, end}, std::move(message));
    return std::nullopt;
  }

  Mistakes& mistakes_;
  std::string_view text_;
  int deepest_;
  std::size_t at_ = 0;
};

// ---- writing ----

constexpr std::size_t kWidth = 110;

std::string quoted_text(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

void write_lines(const JsonValue& value, std::size_t indent, std::size_t column, std::string& out) {
  const bool object = value.is(JsonKind::object);
  const std::size_t count = object ? value.members.size() : value.items.size();
  if ((object || value.is(JsonKind::array)) && count != 0) {
    const std::string line = json_line(value);
    // The outermost value is always spread: a test on one line is hard to read.
    if (indent == 0 || column + line.size() > kWidth) {
      out += object ? "{\n" : "[\n";
      for (std::size_t i = 0; i < count; ++i) {
        std::string lead(indent + 2, ' ');
        if (object) lead += quoted_text(value.members[i].key) + ": ";
        out += lead;
        write_lines(object ? value.members[i].value : value.items[i], indent + 2, lead.size() + 1, out);
        out += i + 1 == count ? "\n" : ",\n";
      }
      out += std::string(indent, ' ') + (object ? '}' : ']');
      return;
    }
  }
  out += json_line(value);
}

}  // namespace

JsonValue json_truth(bool truth) {
  JsonValue value;
  value.kind = JsonKind::boolean;
  value.truth = truth;
  return value;
}

JsonValue json_number(std::int64_t number) {
  JsonValue value;
  value.kind = JsonKind::number;
  value.number = number;
  return value;
}

JsonValue json_string(std::string_view text) {
  JsonValue value;
  value.kind = JsonKind::string;
  value.text = text;
  return value;
}

JsonValue json_array() {
  JsonValue value;
  value.kind = JsonKind::array;
  return value;
}

JsonValue json_object() {
  JsonValue value;
  value.kind = JsonKind::object;
  return value;
}

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

void JsonValue::add(std::string_view key, JsonValue value) {
  members.push_back({std::string(key), base::Span{}, std::move(value)});
}

void JsonValue::add(std::string_view key, std::string_view value) { add(key, json_string(value)); }

std::optional<JsonValue> read_json_text(Mistakes& mistakes, int deepest) {
  return JsonReader(mistakes, deepest).read();
}

std::string json_line(const JsonValue& value) {
  std::string text;
  switch (value.kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return value.truth ? "true" : "false";
    case JsonKind::number:
      return fmt::format("{}", value.number);
    case JsonKind::string:
      return quoted_text(value.text);
    case JsonKind::array:
      for (const JsonValue& item : value.items) text += (text.empty() ? "" : ", ") + json_line(item);
      return "[" + text + "]";
    case JsonKind::object:
      for (const JsonMember& member : value.members) {
        text += (text.empty() ? "" : ", ") + quoted_text(member.key) + ": " + json_line(member.value);
      }
      return "{" + text + "}";
  }
  return text;
}

std::string json_lines(const JsonValue& value) {
  std::string text;
  write_lines(value, 0, 0, text);
  return text + '\n';
}

std::string_view describe(JsonValue::Kind kind) {
  switch (kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::number:
      return "a number";
    case JsonKind::string:
      return "a string";
    case JsonKind::array:
      return "an array";
    case JsonKind::object:
      return "an object";
  }
  return "";
}

}  // namespace weakspot::litmus

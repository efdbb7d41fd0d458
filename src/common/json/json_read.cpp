// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/real_text.h"
#include "base/sort.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::base {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

class JsonReader {
 public:
  JsonReader(Mistakes& mistakes, Span part, int deepest)
      : mistakes_(mistakes),
        text_(mistakes.source().text().substr(0, part.end)),
        deepest_(deepest),
        begin_(part.begin),
        at_(part.begin) {}

  std::optional<JsonValue> read() {
    const std::size_t invalid = find_invalid_utf8(text_.substr(at_));
    if (invalid != std::string_view::npos) return fail_at(at_ + invalid, "the text is not valid UTF-8");
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
    const std::uint32_t begin = here();
    JsonValue value;
    bool good = false;
    switch (at_ < text_.size() ? text_[at_] : '\0') {
      case '{':
        good = object(value, depth);
        break;
      case '[':
        good = array(value, depth);
        break;
      case '"': {
        std::string text;
        good = string(text);
        value = JsonValue(std::move(text));
        break;
      }
      default:
        good = literal(value);
    }
    if (!good) return std::nullopt;
    value.set_span({begin, here()});
    return value;
  }

  bool object(JsonValue& value, int depth) {
    std::vector<JsonMember> members;
    ++at_;
    if (!accept('}')) {
      do {
        skip_blanks();
        const std::uint32_t begin = here();
        if (at_ >= text_.size() || text_[at_] != '"') return fail("a key in double quotes");
        std::string key;
        if (!string(key)) return false;
        const Span key_span{begin, here()};
        if (!accept(':')) return fail("':' after the key");
        std::optional<JsonValue> inner = this->value(depth + 1);
        if (!inner) return false;
        members.emplace_back(std::move(key), *std::move(inner)).key_span = key_span;
      } while (accept(','));
      if (!accept('}')) return fail("',' or '}' in the object");
    }
    if (!has_each_key_once(members)) return false;
    value = JsonValue(std::move(members));
    return true;
  }

  bool has_each_key_once(const std::vector<JsonMember>& members) {
    constexpr std::size_t kFew = 12;
    const JsonMember* duplicate = nullptr;
    if (members.size() <= kFew) {
      for (std::size_t i = 1; i < members.size() && duplicate == nullptr; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (members[i].key == members[j].key) duplicate = &members[i];
        }
      }
    } else {
      std::vector<const JsonMember*> sorted;
      for (const JsonMember& member : members) sorted.push_back(&member);
      base::sort(sorted, [](const JsonMember* a, const JsonMember* b) {
        return std::pair(std::string_view(a->key), a) < std::pair(std::string_view(b->key), b);
      });
      const auto found = std::adjacent_find(sorted.begin(), sorted.end(),
                                            [](const JsonMember* a, const JsonMember* b) { return a->key == b->key; });
      if (found != sorted.end()) duplicate = *(found + 1);
    }
    if (duplicate == nullptr) return true;
    mistakes_.add(duplicate->key_span, fmt::format("duplicate key '{}'", clipped(duplicate->key)));
    return false;
  }

  bool array(JsonValue& value, int depth) {
    std::vector<JsonValue> items;
    ++at_;
    if (!accept(']')) {
      do {
        std::optional<JsonValue> inner = this->value(depth + 1);
        if (!inner) return false;
        items.push_back(*std::move(inner));
      } while (accept(','));
      if (!accept(']')) return fail("',' or ']' in the array");
    }
    value = JsonValue(std::move(items));
    return true;
  }

  // true, false, null or a number
  bool literal(JsonValue& value) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_literal_part(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "true" || word == "false") {
      value = JsonValue(word == "true");
      return true;
    }
    if (word == "null") return true;
    if (!word.empty() && (word[0] == '-' || is_digit(word[0]))) return number(word, value);
    at_ = begin;
    return fail("a value");
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  static bool is_literal_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
           c == '.';
  }

  // The number's form (RFC 8259, section 6): 0, -1, 1.5e-3, but not 01, .5 or 1.
  static bool is_number(std::string_view word, bool& is_integer) {
    std::size_t at = word[0] == '-' ? 1 : 0;
    const auto digits = [&] {
      const std::size_t begin = at;
      while (at < word.size() && is_digit(word[at])) ++at;
      return at - begin;
    };
    const bool zero = at < word.size() && word[at] == '0';
    const std::size_t count = digits();
    if (count == 0 || (zero && count > 1)) return false;
    is_integer = at == word.size();
    if (at < word.size() && word[at] == '.') {
      ++at;
      if (digits() == 0) return false;
    }
    if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
      ++at;
      if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
      if (digits() == 0) return false;
    }
    return at == word.size();
  }

  template <typename Number>
  static bool convert(std::string_view word, JsonValue& value) {
    Number number{};
    if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc()) return false;
    value = JsonValue(number);
    return true;
  }

  bool number(std::string_view word, JsonValue& value) {
    const std::size_t begin = at_ - word.size();
    const auto wrong = [&](std::string_view message) {
      mistakes_.add({static_cast<std::uint32_t>(begin), here()}, std::string(message));
      return false;
    };
    bool is_integer = false;
    if (!is_number(word, is_integer)) return wrong("expected a number such as -1, 0 or 2.5e3");
    if (is_integer && word[0] == '-' && convert<std::int64_t>(word, value)) return true;
    if (is_integer && word[0] != '-' && convert<std::uint64_t>(word, value)) return true;
    const std::optional<double> real = read_real(word);
    if (!real) return wrong("the number does not fit a double");
    value = JsonValue(*real);
    return true;
  }

  bool string(std::string& text) {
    const std::size_t begin = at_++;
    while (true) {
      const std::size_t plain = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
             static_cast<unsigned char>(text_[at_]) >= 0x20) {
        ++at_;
      }
      text.append(text_.substr(plain, at_ - plain));
      if (at_ >= text_.size() || text_[at_] == '"') break;
      // The text was cut off.
      if (text_[at_] == '\n' && text_.find_first_not_of(kBlanks, at_) == std::string_view::npos) at_ = text_.size();
      if (at_ >= text_.size()) break;
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) {
        return fail_at(at_, "a string cannot contain a line break or another control character; use an escape"), false;
      }
      if (!escape(text)) return false;
    }
    if (at_ >= text_.size()) return fail_at(begin, "unterminated string"), false;
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
        return fail_at(begin, "first half of a surrogate pair without the second"), false;
      }
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      return fail_at(begin, "second half of a surrogate pair without the first"), false;
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
    while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
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
    // At the end, the place is just behind the last character that is not blank.
    const std::size_t last = text_.find_last_not_of(kBlanks);
    const std::size_t place = at_ < text_.size()               ? at_
                              : last == std::string_view::npos ? begin_
                                                               : std::max(begin_, last + 1);
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
  std::size_t begin_;
  std::size_t at_;
};

}  // namespace

std::optional<JsonValue> read_json_text(Mistakes& mistakes, int deepest) {
  return JsonReader(mistakes, {0, static_cast<std::uint32_t>(mistakes.source().text().size())}, deepest).read();
}

std::optional<JsonValue> read_json_part(Mistakes& mistakes, Span part) {
  return JsonReader(mistakes, part, kDeepestJson).read();
}

Result<JsonValue> read_json_text(const Source& source) {
  Mistakes mistakes(source);
  std::optional<JsonValue> value = read_json_text(mistakes);
  if (!value) return mistakes.take();
  return *std::move(value);
}

}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
#include "litmus/text/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace weakspot::litmus {
namespace {

constexpr bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<bool, 256> kWordParts = [] {
  std::array<bool, 256> parts{};
  for (int c = 0; c < 128; ++c) {
    parts[static_cast<std::size_t>(c)] = is_word_start(static_cast<char>(c)) || is_digit(static_cast<char>(c));
  }
  return parts;
}();

bool is_word_part(char c) { return kWordParts[static_cast<unsigned char>(c)]; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool may_start_comment(char c) { return c == '/' || c == '('; }

constexpr std::string_view kPairs[] = {"/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&",
                                       "||",  "->",  "<<", ">>", "++", "--", "+=", "-="};

constexpr std::array<bool, 256> kPairStarts = [] {
  std::array<bool, 256> starts{};
  for (std::string_view pair : kPairs) starts[static_cast<unsigned char>(pair[0])] = true;
  return starts;
}();

std::size_t punct_length(std::string_view rest) {
  if (kPairStarts[static_cast<unsigned char>(rest[0])]) {
    for (std::string_view pair : kPairs) {
      if (rest.starts_with(pair)) return 2;
    }
  }
  // A whole code point, so that messages never cut one in two.
  std::size_t length = 1;
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0) == 0x80) ++length;
  return length;
}

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end";
  return fmt::format("'{}'", clipped(token.text));
}

bool is_word(std::string_view text) {
  return !text.empty() && is_word_start(text[0]) && std::all_of(text.begin(), text.end(), is_word_part);
}

bool is_numbered_register(std::string_view word) {
  return word.size() > 1 && word[0] == 'r' && std::all_of(word.begin() + 1, word.end(), is_digit);
}

std::optional<std::int64_t> parse_integer(std::string_view digits, bool negative) {
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  std::uint64_t magnitude = 0;
  auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (code != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  const std::uint64_t limit = std::uint64_t{1} << 63;
  if (negative) {
    if (magnitude > limit) return std::nullopt;
    return static_cast<std::int64_t>(0 - magnitude);
  }
  if (magnitude >= limit && base == 10) return std::nullopt;
  return static_cast<std::int64_t>(magnitude);
}

std::size_t Cursor::skip_comment(std::size_t at) {
  std::string_view rest = text_.substr(at);
  std::size_t end = std::string_view::npos;
  if (rest.starts_with("//")) {
    std::size_t newline = text_.find('\n', at);
    return newline == std::string_view::npos ? text_.size() : newline;
  }
  if (rest.starts_with("/*")) {
    end = text_.find("*/", at + 2);
    if (end != std::string_view::npos) return end + 2;
  } else if (nested_comments_ && rest.starts_with("(*")) {
    std::size_t depth = 1;
    std::size_t i = at + 2;
    while (i + 1 < text_.size()) {
      if (text_[i] == '(' && text_[i + 1] == '*') {
        ++depth;
        i += 2;
      } else if (text_[i] == '*' && text_[i + 1] == ')') {
        i += 2;
        if (--depth == 0) return i;
      } else {
        ++i;
      }
    }
  } else {
    return at;
  }
  if (!unterminated_reported_) {
    unterminated_reported_ = true;
    mistake({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 2)}, "this comment is not closed");
  }
  return text_.size();
}

std::size_t Cursor::after_blanks(std::size_t at) {
  while (at < text_.size()) {
    const char c = text_[at];
    if (is_blank(c)) {
      ++at;
      continue;
    }
    if (!may_start_comment(c)) break;
    const std::size_t after = skip_comment(at);
    if (after == at) break;
    at = after;
  }
  return at;
}

Token Cursor::scan(std::size_t& from) {
  const std::size_t begin = after_blanks(from);
  std::size_t at = begin;
  Token token;
  token.span.begin = static_cast<std::uint32_t>(begin);
  if (at >= text_.size()) {
    token.span.end = token.span.begin;
    from = at;
    return token;
  }
  if (is_word_part(text_[at])) {
    token.kind = is_digit(text_[at]) ? Token::Kind::number : Token::Kind::word;
    while (at < text_.size() && is_word_part(text_[at])) ++at;
    token.text = {text_.data() + begin, at - begin};
  } else if (text_[at] == '"') {
    token.kind = Token::Kind::string;
    std::size_t close = text_.find('"', at + 1);
    if (close == std::string_view::npos) {
      if (!unterminated_reported_) {
        unterminated_reported_ = true;
        mistake({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)}, "this string is not closed");
      }
      close = text_.size();
      at = close;
    } else {
      at = close + 1;
    }
    token.text = text_.substr(begin + 1, close - begin - 1);
  } else {
    token.kind = Token::Kind::punct;
    at += punct_length(text_.substr(at));
    token.text = {text_.data() + begin, at - begin};
  }
  token.span.end = static_cast<std::uint32_t>(at);
  from = at;
  return token;
}

Token Cursor::peek_second() {
  peek();
  if (!second_) {
    after_second_ = at_;
    second_ = scan(after_second_);
  }
  return *second_;
}

void Cursor::forget() {
  peeked_.reset();
  second_.reset();
}

bool Cursor::expect(std::string_view expected, std::string_view context) {
  if (accept(expected)) return true;
  mistake(here(), fmt::format("expected '{}' {}, found {}", expected, context, describe(peek())));
  return false;
}

void Cursor::expected(std::string_view what) {
  mistake(here(), fmt::format("expected {}, found {}", what, describe(peek())));
}

base::Span Cursor::here() { return at_end() ? base::Span{last_end_, last_end_} : peek().span; }

bool Cursor::expect_end(std::string_view after) {
  if (at_end()) return true;
  mistake(peek().span, fmt::format("unexpected {} after {}", describe(peek()), after));
  return false;
}

std::optional<Token> Cursor::word(std::string_view what) {
  if (peek().kind == Token::Kind::word) return next();
  expected(what);
  return std::nullopt;
}

std::optional<std::int64_t> Cursor::integer(std::string_view what) {
  const base::Span start = peek().span;
  bool negative = accept("-");
  if (peek().kind != Token::Kind::number) {
    expected(what);
    return std::nullopt;
  }
  Token digits = next();
  std::optional<std::int64_t> value = parse_integer(digits.text, negative);
  if (!value) {
    mistake({start.begin, digits.span.end},
            fmt::format("{} is not a number of 64 bits; expected {}", describe(digits), what));
  }
  return value;
}

std::optional<Token> Cursor::dotted_word(std::string_view what) {
  std::optional<Token> first = word(what);
  if (!first) return std::nullopt;
  Token whole = *first;
  while (peek().is(".") && adjacent()) {
    next();
    if (!adjacent() || (peek().kind != Token::Kind::word && peek().kind != Token::Kind::number)) {
      mistake(peek().span, fmt::format("expected a word after '.', found {}", describe(peek())));
      return std::nullopt;
    }
    whole.span.end = next().span.end;
    // PTX's `shared::cta` is one word.
    while (peek().is(":") && adjacent() && peek_second().is(":")) {
      next();
      next();
      if (!adjacent() || peek().kind != Token::Kind::word) {
        mistake(peek().span, fmt::format("expected a word after '::', found {}", describe(peek())));
        return std::nullopt;
      }
      whole.span.end = next().span.end;
    }
  }
  whole.text = text_.substr(whole.span.begin, whole.span.end - whole.span.begin);
  return whole;
}

Token Cursor::rest_of_line() {
  // A blank skip that stops at the end of the line.
  std::size_t at = last_end_;
  while (at < text_.size() && text_[at] != '\n' && is_blank(text_[at])) ++at;
  std::size_t end = std::min(text_.find('\n', at), text_.size());
  Token line;
  line.kind = Token::Kind::string;
  line.span.begin = static_cast<std::uint32_t>(at);
  std::size_t trimmed = end;
  while (trimmed > at && is_blank(text_[trimmed - 1])) --trimmed;
  line.span.end = static_cast<std::uint32_t>(trimmed);
  line.text = text_.substr(at, trimmed - at);
  forget();
  at_ = end;
  last_end_ = line.span.end;
  return line;
}

void Cursor::seek(std::uint32_t offset) {
  forget();
  at_ = offset;
  last_end_ = offset;
}

void Cursor::set_nested_comments(bool on) {
  if (on == nested_comments_) return;
  nested_comments_ = on;
  if (peeked_) at_ = last_end_;
  forget();
}

Cursor::Cell Cursor::cell() {
  std::size_t at = after_blanks(peeked_ ? peeked_->span.begin : at_);
  forget();
  Cell cell;
  cell.span.begin = static_cast<std::uint32_t>(at);
  std::size_t last = at;
  while (at < text_.size() && text_[at] != '|' && text_[at] != ';') {
    if (may_start_comment(text_[at])) {
      const std::size_t after = skip_comment(at);
      if (after != at) {
        at = after;
        continue;
      }
    }
    ++at;
    if (!is_blank(text_[at - 1])) last = at;
  }
  cell.span.end = static_cast<std::uint32_t>(last);
  if (at < text_.size()) cell.delimiter = text_[at++];
  at_ = at;
  last_end_ = static_cast<std::uint32_t>(at);
  return cell;
}

std::optional<base::Span> Cursor::braces() {
  const std::uint32_t open = last_end_;
  base::Span inside{position(), 0};
  for (std::size_t depth = 1; !at_end();) {
    Token token = next();
    if (token.is("{")) ++depth;
    if (token.is("}") && --depth == 0) {
      inside.end = token.span.begin;
      if (inside.begin > inside.end) inside.begin = inside.end;
      return inside;
    }
  }
  mistake({open == 0 ? 0 : open - 1, open}, "this '{' is not closed");
  return std::nullopt;
}

}  // namespace weakspot::litmus

// SPDX-License-Identifier: MIT
#include "race/ptx_text/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace weakspot::race::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

class Splitter {
 public:
  explicit Splitter(const base::Source& source) : source_(source), text_(source.text()) {}

  base::Result<std::vector<Token>> run() {
    while (skip_blanks()) {
      const std::size_t begin = at_;
      const char c = text_[at_];
      if (is_letter(c) || c == '%') {
        ++at_;
        take_letters();
        add(Token::Kind::name, begin, begin);
      } else if (c == '.' && (is_letter(peek(1)) || is_digit(peek(1)))) {
        ++at_;
        take_letters();
        while (text_.substr(at_).starts_with("::") && (is_letter(peek(2)) || is_digit(peek(2)))) {
          at_ += 2;
          take_letters();
        }
        add(Token::Kind::dotted, begin, begin + 1);
      } else if (is_digit(c)) {
        take_number();
        add(Token::Kind::number, begin, begin);
      } else if (c == '"') {
        const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] == '\n') return mistake("a string without an end", 1);
        at_ = end;
        add(Token::Kind::text, begin, begin + 1);
        ++at_;
        tokens_.back().span.end = static_cast<std::uint32_t>(at_);
      } else if (std::string_view("{}[]()<>,;:+-|!@=*~").find(c) != std::string_view::npos) {
        ++at_;
        add(Token::Kind::character, begin, begin);
      } else {
        return mistake(std::isprint(static_cast<unsigned char>(c)) != 0
                           ? fmt::format("unexpected character '{}'", c)
                           : fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)),
                       1);
      }
    }
    if (!problem_.empty()) return mistake(problem_, 2);
    add(Token::Kind::end, at_, at_);
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void take_letters() {
    while (is_letter(peek(0)) || is_digit(peek(0))) ++at_;
  }

  // With its fraction and exponent; what it means is left to the reader.
  void take_number() {
    take_letters();
    if (peek(0) == '.' && is_digit(peek(1))) {
      ++at_;
      take_letters();
    }
    const char last = text_[at_ - 1];
    if ((last == 'e' || last == 'E') && (peek(0) == '-' || peek(0) == '+') && is_digit(peek(1))) {
      ++at_;
      take_letters();
    }
  }

  void add(Token::Kind kind, std::size_t begin, std::size_t text) {
    const base::Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    const bool joined = !tokens_.empty() && tokens_.back().span.end == span.begin;
    tokens_.push_back({kind, text_.substr(text, at_ - text), span, joined});
  }

  // False at the end, and in front of a comment that does not end.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          problem_ = "a comment without an end";
          return false;
        }
        at_ = end + 2;
      } else if (std::string_view(" \t\r\n\f\v").find(rest.front()) != std::string_view::npos) {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  base::Diagnostic mistake(std::string message, std::size_t length) const {
    const auto begin = static_cast<std::uint32_t>(at_);
    return base::error_at(source_, {begin, static_cast<std::uint32_t>(begin + length)}, std::move(message));
  }

  const base::Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
  std::vector<Token> tokens_;
};

}  // namespace

base::Result<std::vector<Token>> split_tokens(const base::Source& source) { return Splitter(source).run(); }

}  // namespace weakspot::race::ptx

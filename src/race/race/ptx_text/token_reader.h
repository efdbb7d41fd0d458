// SPDX-License-Identifier: MIT
// Takes the words of a text one by one. Functions that want a certain word note a mistake and return false where it is
// another.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "race/ptx_text/numbers.h"
#include "race/ptx_text/tokens.h"

namespace weakspot::race::ptx {

class TokenReader {
 public:
  TokenReader(const base::Source& source, const std::vector<Token>& tokens) : source_(source), tokens_(tokens) {}

  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t by) const { return tokens_[std::min(at_ + by, tokens_.size() - 1)]; }
  Token take() {
    const Token token = now();
    if (token.kind != Token::Kind::end) ++at_;
    return token;
  }
  bool take_if(char c) {
    if (!now().is(c)) return false;
    ++at_;
    return true;
  }
  bool take_if_dotted(std::string_view word) {
    if (!now().is_dotted(word)) return false;
    ++at_;
    return true;
  }

  bool fail_at(base::Span span, std::string message) {
    errors_.push_back(base::error_at(source_, span, std::move(message)));
    return false;
  }
  bool fail_expected(std::string_view wanted) {
    const std::string found =
        now().kind == Token::Kind::end ? "the end of the text" : fmt::format("'{}'", source_.slice(now().span));
    return fail_at(now().span, fmt::format("expected {}, found {}", wanted, found));
  }
  bool need(char c) { return take_if(c) || fail_expected(fmt::format("'{}'", c)); }

  bool take_name(std::string& name, std::string_view wanted) {
    if (now().kind != Token::Kind::name) return fail_expected(wanted);
    name = std::string(take().text);
    return true;
  }
  bool take_number(std::uint64_t& number, std::string_view wanted) {
    const std::optional<Number> read =
        now().kind == Token::Kind::number ? parse_number(now().text) : std::optional<Number>();
    if (!read || read->real) return fail_expected(wanted);
    number = read->value;
    ++at_;
    return true;
  }
  bool take_small(unsigned& number, std::string_view wanted) {
    const base::Span span = now().span;
    std::uint64_t wide = 0;
    if (!take_number(wide, wanted)) return false;
    if (wide > kMostNumber) return fail_at(span, fmt::format("expected {}, found a number that is too large", wanted));
    number = static_cast<unsigned>(wide);
    return true;
  }

 protected:
  static constexpr unsigned kMostNumber = std::numeric_limits<int>::max();  // a line or a file

  const base::Source& source_;
  const std::vector<Token>& tokens_;  // the last is the end
  std::size_t at_ = 0;
  base::Diagnostics errors_;
};

}  // namespace weakspot::race::ptx

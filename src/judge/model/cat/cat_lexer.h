// SPDX-License-Identifier: MIT
// The words of a cat file. Comments are (* nested *), /* ... */, // and # to the end of the line.
//
// Two public tools disagree on comments: one nests them, one does not, and there are files for both. A nested comment
// without an end is read again without nesting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/span.h"
#include "model/properties.h"

namespace weakspot::model::cat {

enum class TokenKind : std::uint8_t {
  end,
  name,     // po-loc, DMB.SY, _RMW, s'
  keyword,  // let, rec, acyclic, ...
  tag,      // 'name, without the quote
  string,   // without the quotes
  symbol,   // ( ) { } [ ] _ 0 | || & && * ~ + ++ ^-1 \ ? = ; , ->
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  base::Span span;
  std::string_view words;  // inside the comment `(** ... *)` directly before it, if there is one

  bool is(std::string_view expected) const {
    return (kind == TokenKind::symbol || kind == TokenKind::keyword) && text == expected;
  }
};

struct Tokens {
  std::vector<Token> tokens;  // ends with an `end` token
  std::string first_comment;  // the text of the first comment, trimmed
  ModelProperties properties;
};

bool is_keyword(std::string_view word);
// "'foo'", "the string \"x\"", "the end of the file": for messages.
std::string describe(const Token& token);

// Mistakes are appended; the tokens are those that could be read nevertheless.
Tokens lex(const base::Source& source, base::Diagnostics& mistakes);

}  // namespace weakspot::model::cat

// SPDX-License-Identifier: MIT
// Reads tokens from a stretch of a source. All readers of text use it, so all of them skip the same comments and
// report mistakes the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/mistakes.h"
#include "base/source.h"

namespace weakspot::litmus {

struct Token {
  enum class Kind : std::uint8_t { end, word, number, string, punct };
  Kind kind = Kind::end;
  std::string_view text;  // without the quotes for strings
  base::Span span;

  // Readers ask this several times per token, nearly always in vain: so the first characters are compared first.
  bool is(std::string_view expected) const {
    return text.size() == expected.size() && !text.empty() && text[0] == expected[0] && kind != Kind::string &&
           text == expected;
  }
};

using base::clipped;
using base::Mistakes;

// Comments are (* nested *) unless switched off, // to the end of the line and /* ... */. Words are
// [A-Za-z_$][A-Za-z0-9_$]*; numbers start with a digit and run on over letters and digits (0x1F, 12u); everything else
// is punctuation, the longest of
//   /\ \/ => == != <= >= && || -> << >> ++ -- += -= or a single character.
class Cursor {
 public:
  Cursor(Mistakes& mistakes, base::Span range)
      : mistakes_(mistakes),
        text_(mistakes.source().text().substr(0, range.end)),
        at_(range.begin),
        last_end_(range.begin) {}

  const Token& peek() {
    if (!peeked_) peeked_ = scan(at_);
    return *peeked_;
  }
  // The token after peek().
  Token peek_second();
  Token next() {
    const Token token = peek();
    peeked_ = second_;
    if (second_) at_ = after_second_;
    second_.reset();
    last_end_ = token.span.end;
    return token;
  }
  bool at_end() { return peek().kind == Token::Kind::end; }
  // Whether no space or comment separates the next token from the last one.
  bool adjacent() { return peek().span.begin == last_end_ && !at_end(); }

  // Takes the next token if it is `expected`.
  bool accept(std::string_view expected) {
    if (!peek().is(expected)) return false;
    next();
    return true;
  }
  // The same, and a mistake ("expected ',' after the register, found ...") if it is not.
  bool expect(std::string_view expected, std::string_view context);

  std::optional<Token> word(std::string_view what);  // what: "a register", for the mistake
  // [-] number, decimal or 0x; a mistake if it does not fit 64 bits.
  std::optional<std::int64_t> integer(std::string_view what);
  // Words joined by dots without spaces, as one view: "ld.relaxed.gpu", "B.EQ".
  std::optional<Token> dotted_word(std::string_view what);

  // A mistake at the next token: "expected WHAT, found ...".
  void expected(std::string_view what);
  // The next token's place; at the end, just behind the last one.
  base::Span here();
  void mistake(base::Span span, std::string message) { mistakes_.add(span, std::move(message)); }
  // A mistake if anything is left in the range.
  bool expect_end(std::string_view after);

  // Raw text from the last token taken to the end of its line, comments not skipped, blanks trimmed.
  Token rest_of_line();
  // The start of the next token. seek() goes to such a position, forward or back.
  std::uint32_t position() { return peek().span.begin; }
  void seek(std::uint32_t offset);
  // Sets whether `(*` starts a comment from the next token on. In C code it does not: `(*x)` is an expression.
  void set_nested_comments(bool on);
  std::uint32_t end() const { return static_cast<std::uint32_t>(text_.size()); }
  std::uint32_t last_end() const { return last_end_; }

  // Raw characters up to the next '|' or ';' outside comments, as a span; the delimiter is consumed. Fails at the end.
  struct Cell {
    base::Span span;
    char delimiter = 0;  // '|', ';' or 0 at the end of the range
  };
  Cell cell();
  // The span from here, just after an opening brace, to the matching closing brace, which is consumed.
  std::optional<base::Span> braces();

  Mistakes& mistakes() { return mistakes_; }
  const base::Source& source() const { return mistakes_.source(); }

 private:
  Token scan(std::size_t& from);             // moves `from` behind the token
  std::size_t after_blanks(std::size_t at);  // the next place that is neither blank nor in a comment
  void forget();                             // drops the tokens that were looked at
  std::size_t skip_comment(std::size_t at);  // the end of the comment at `at`, or `at` if there is none

  Mistakes& mistakes_;
  std::string_view text_;  // up to the end of the range
  std::size_t at_;         // the place to look for the token after `peeked_`
  std::uint32_t last_end_;
  std::optional<Token> peeked_;
  std::optional<Token> second_;  // the token after `peeked_`
  std::size_t after_second_ = 0;
  bool unterminated_reported_ = false;
  bool nested_comments_ = true;
};

// The name of a token in messages: "end of the line's cell", "'foo'", "the end of the text".
std::string describe(const Token& token);

// Whether Cursor reads the text as one word, which can name a location, register or label.
bool is_word(std::string_view text);

// r and digits: a register that needs no declaration, in PTX and Vulkan.
bool is_numbered_register(std::string_view word);

// The number's value; nullopt if it is malformed or does not fit. `negative` allows INT64_MIN.
std::optional<std::int64_t> parse_integer(std::string_view digits, bool negative);

}  // namespace weakspot::litmus

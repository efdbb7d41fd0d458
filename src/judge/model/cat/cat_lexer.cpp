// SPDX-License-Identifier: MIT
#include "model/cat/cat_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/source.h"
#include "model/cat/read_properties.h"

namespace weakspot::model::cat {
namespace {

constexpr std::array<std::string_view, 36> kKeywords = {
    "let",    "rec",       "and",  "when", "acyclic", "irreflexive", "show",         "unshow",  "empty",
    "subset", "as",        "fun",  "in",   "flag",    "assert",      "include",      "variant", "begin",
    "end",    "procedure", "call", "enum", "debug",   "match",       "with",         "forall",  "from",
    "do",     "try",       "if",   "then", "else",    "catdep",      "instructions", "default", "not"};

constexpr std::array<std::string_view, 24> kSymbols = {"^-1", "-1", "||", "&&", "++", "->", "(", ")",
                                                       "{",   "}",  "[",  "]",  "_",  "0",  "|", "&",
                                                       "*",   "~",  "+",  "^",  "\\", "?",  "=", ";"};

constexpr std::size_t kMistakeLimit = 20;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-'; }

class Lexer {
 public:
  Lexer(const base::Source& source, base::Diagnostics& mistakes)
      : source_(source), text_(source.text()), mistakes_(mistakes) {}

  Tokens run() {
    for (;;) {
      skip_blanks();
      if (at_ >= text_.size()) break;
      if (!token()) {
        mistake({at_, at_ + 1}, fmt::format("character {} has no meaning here", printable(text_[at_])));
        ++at_;
        // One message for a run of such characters.
        while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80) ++at_;
      }
    }
    push(TokenKind::end, at_, at_, {});
    return std::move(result_);
  }

 private:
  static std::string printable(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x21 && byte < 0x7F ? fmt::format("'{}'", c) : fmt::format("0x{:02X}", byte);
  }

  void mistake(base::Span span, std::string message) {
    if (mistakes_.size() < kMistakeLimit) mistakes_.push_back(base::error_at(source_, span, std::move(message)));
  }

  void push(TokenKind kind, std::uint32_t begin, std::uint32_t end, std::string_view text) {
    result_.tokens.push_back({kind, text, {begin, end}, words_});
    words_ = {};
  }

  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  // The end of the comment at `at_`, or 0 if it has none.
  std::size_t comment_end(bool nested) const {
    std::size_t depth = 0;
    for (std::size_t i = at_; i + 1 < text_.size(); ++i) {
      if (text_[i] == '(' && text_[i + 1] == '*' && (nested || i == at_)) {
        ++depth;
        ++i;
      } else if (text_[i] == '*' && text_[i + 1] == ')') {
        ++i;
        if (--depth == 0) return i + 1;
      }
    }
    return 0;
  }

  void comment(std::size_t end, std::size_t opening, std::size_t closing) {
    std::string_view inside = text_.substr(at_ + opening, end - closing - at_ - opening);
    if (declares_properties(inside)) {
      const base::Span span{static_cast<std::uint32_t>(at_ + opening), static_cast<std::uint32_t>(end - closing)};
      if (mistakes_.size() < kMistakeLimit) read_properties(source_, span, result_.properties, mistakes_);
    } else if (result_.first_comment.empty()) {
      const std::size_t from = inside.find_first_not_of(" \t\r\n*");
      if (from != std::string_view::npos) {
        inside.remove_prefix(from);
        inside = inside.substr(0, inside.find_last_not_of(" \t\r\n*") + 1);
        result_.first_comment = std::string(inside);
      }
    }
    const std::string_view whole = text_.substr(at_, end - at_);
    words_ = whole.starts_with("(**") && whole.size() > 5 ? whole.substr(3, whole.size() - 5) : std::string_view();
    at_ = static_cast<std::uint32_t>(end);
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\xA0') {
        ++at_;
      } else if (starts("\xC2\xA0")) {  // no-break space
        at_ += 2;
      } else if (c == '#' || starts("//")) {
        comment(std::min(text_.find('\n', at_), text_.size()), c == '#' ? 1 : 2, 0);
      } else if (starts("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return unfinished_comment();
        comment(end + 2, 2, 2);
      } else if (starts("(*")) {
        std::size_t end = unnested_ ? 0 : comment_end(true);
        if (end == 0) {
          // Trying to nest again at every later comment would be quadratic.
          unnested_ = true;
          end = comment_end(false);
        }
        if (end == 0) return unfinished_comment();
        comment(end, 2, 2);
      } else {
        return;
      }
    }
  }

  void unfinished_comment() {
    mistake({at_, at_ + 2}, "this comment does not end");
    at_ = static_cast<std::uint32_t>(text_.size());
  }

  // The end of the name that starts at `from`; `from` if no name starts there.
  std::size_t name_end(std::size_t from) const {
    std::size_t i = from;
    if (i < text_.size() && text_[i] == '_') ++i;
    if (i >= text_.size() || !is_letter(text_[i])) return from;
    while (i < text_.size() && continues_name(text_[i])) ++i;
    if (i < text_.size() && text_[i] == '\'') ++i;
    return i;
  }

  bool token() {
    const std::uint32_t begin = at_;
    const char c = text_[at_];
    if (c == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) {
        mistake({begin, begin + 1}, "this string does not end");
        at_ = static_cast<std::uint32_t>(text_.size());
        return true;
      }
      at_ = static_cast<std::uint32_t>(end + 1);
      push(TokenKind::string, begin, at_, text_.substr(begin + 1, end - begin - 1));
      return true;
    }
    if (c == '\'') {
      const std::size_t end = name_end(at_ + 1);
      if (end == at_ + 1) return false;
      at_ = static_cast<std::uint32_t>(end);
      push(TokenKind::tag, begin, at_, text_.substr(begin + 1, end - begin - 1));
      return true;
    }
    if (const std::size_t end = name_end(at_); end != at_) {
      at_ = static_cast<std::uint32_t>(end);
      const std::string_view word = text_.substr(begin, end - begin);
      push(is_keyword(word) ? TokenKind::keyword : TokenKind::name, begin, at_, word);
      return true;
    }
    if (c == ',') return symbol(",");
    for (std::string_view word : kSymbols) {
      if (starts(word)) return symbol(word);
    }
    return false;
  }

  bool symbol(std::string_view word) {
    const std::uint32_t begin = at_;
    at_ += static_cast<std::uint32_t>(word.size());
    push(TokenKind::symbol, begin, at_, text_.substr(begin, word.size()));
    return true;
  }

  const base::Source& source_;
  std::string_view text_;
  base::Diagnostics& mistakes_;
  Tokens result_;
  std::string_view words_;  // for the next token
  std::uint32_t at_ = 0;
  bool unnested_ = false;
};

}  // namespace

bool is_keyword(std::string_view word) {
  return word == "undefined_unless" || std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the file";
    case TokenKind::tag:
      return fmt::format("the tag '{}", token.text);
    case TokenKind::string:
      return fmt::format("the string \"{}\"", token.text);
    case TokenKind::name:
    case TokenKind::keyword:
    case TokenKind::symbol:
      break;
  }
  return fmt::format("'{}'", token.text);
}

Tokens lex(const base::Source& source, base::Diagnostics& mistakes) { return Lexer(source, mistakes).run(); }

}  // namespace weakspot::model::cat

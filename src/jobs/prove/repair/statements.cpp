// SPDX-License-Identifier: MIT
#include "prove/repair/statements.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace weakspot::prove {
namespace {

bool is_word_sign(char sign) { return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_'; }

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::vector<Token> read() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool here(std::string_view sign) const { return text_.substr(at_, sign.size()) == sign; }

  void step() {
    const char sign = text_[at_];
    if (sign == '\n') {
      line_begins_ = true;
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(sign)) != 0) {
      ++at_;
    } else if (here("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (here("/*")) {
      at_ = behind("*/", at_ + 2);
    } else if (sign == '#' && line_begins_) {
      skip_directive();
    } else if (sign == '"' || sign == '\'') {
      add(Token::Kind::text, behind_quoted(sign));
    } else if (is_word_sign(sign)) {
      std::size_t end = at_;
      while (end < text_.size() && is_word_sign(text_[end])) ++end;
      const bool raw = end < text_.size() && text_[end] == '"' && text_[end - 1] == 'R';
      add(raw ? Token::Kind::text : Token::Kind::word, raw ? behind_raw(end) : end);
    } else {
      add(Token::Kind::mark, here("::") ? at_ + 2 : at_ + 1);
    }
  }

  std::size_t behind(std::string_view sign, std::size_t from) const {
    const std::size_t found = text_.find(sign, from);
    return found == std::string_view::npos ? text_.size() : found + sign.size();
  }

  std::size_t behind_quoted(char quote) const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }

  std::size_t behind_raw(std::size_t quote) const {
    const std::size_t bracket = std::min(text_.find('(', quote), text_.size() - 1);
    const std::string close = ")" + std::string(text_.substr(quote + 1, bracket - quote - 1)) + "\"";
    return behind(close, bracket);
  }

  void skip_directive() {
    if (!directive_) directive_ = at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      const bool goes_on = text_[at_] == '\\' && at_ + 1 < text_.size();
      at_ += goes_on ? 2 : 1;
    }
  }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, at_, end, directive_.value_or(at_)});
    directive_.reset();
    line_begins_ = false;
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  std::optional<std::size_t> directive_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Tokens(text).read(); }

Statements::Statements(std::string_view text) : text_(text), tokens_(tokens_of(text)) {
  static constexpr std::array<std::string_view, 5> kBehindHead = {")", "const", "noexcept", "override", "final"};
  bool kernel = false;
  for (std::size_t i = 0; i < tokens_.size();) {
    if (is(i, "__global__")) kernel = true;
    if (is(i, ";") || is(i, "}")) kernel = false;
    const bool body =
        is(i, "{") && i > 0 && std::find(kBehindHead.begin(), kBehindHead.end(), word(i - 1)) != kBehindHead.end();
    if (!body) {
      ++i;
      continue;
    }
    const std::size_t own = all_.size();
    i = read(i, Statement::kNone);
    all_[own].kernel = kernel;
    kernel = false;
  }
}

std::string_view Statements::word(std::size_t token) const {
  return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
}

std::size_t Statements::open(std::size_t token, std::size_t parent, Statement::Kind kind) {
  const std::size_t own = all_.size();
  Statement& made = all_.emplace_back();
  made.kind = kind;
  made.begin = tokens_[token].begin;
  made.front = tokens_[token].directive;
  made.parent = parent;
  if (parent != Statement::kNone) {
    made.index = all_[parent].parts.size();
    all_[parent].parts.push_back(own);
  }
  return own;
}

// From an opening bracket to the token behind its closing one.
std::size_t Statements::skip_brackets(std::size_t token) const {
  int depth = 0;
  for (; token < tokens_.size(); ++token) {
    if (is(token, "(") || is(token, "[") || is(token, "{")) ++depth;
    if (is(token, ")") || is(token, "]") || is(token, "}")) --depth;
    if (depth == 0) return token + 1;
  }
  return token;
}

// To the token behind the semicolon. A closing brace ends a statement that lacks one.
std::size_t Statements::skip_to_end(std::size_t token) const {
  while (token < tokens_.size() && !is(token, "}")) {
    if (is(token, ";")) return token + 1;
    token = is(token, "(") || is(token, "[") || is(token, "{") ? skip_brackets(token) : token + 1;
  }
  return token;
}

std::size_t Statements::read_block(std::size_t token, std::size_t own) {
  ++token;
  while (token < tokens_.size() && !is(token, "}")) token = read(token, own);
  return std::min(token + 1, tokens_.size());
}

std::size_t Statements::read(std::size_t token, std::size_t parent) {
  const bool choice = is(token, "if") || is(token, "switch"), loop = is(token, "while") || is(token, "for"),
             does = is(token, "do");
  const bool cases = is(token, "case") || is(token, "default");
  const bool named = !cases && is(token + 1, ":") && tokens_[token].kind == Token::Kind::word;
  const std::size_t own = open(token, parent,
                               is(token, "{")   ? Statement::Kind::block
                               : choice         ? Statement::Kind::choice
                               : loop           ? Statement::Kind::loop
                               : does           ? Statement::Kind::do_loop
                               : cases || named ? Statement::Kind::label
                                                : Statement::Kind::plain);
  std::size_t next = token;
  if (is(token, "{")) {
    next = read_block(token, own);
  } else if (choice || loop) {
    while (next < tokens_.size() && !is(next, "(")) ++next;
    next = skip_brackets(next);
    if (next < tokens_.size()) next = read(next, own);
    if (choice && is(next, "else")) next = next + 1 < tokens_.size() ? read(next + 1, own) : next + 1;
  } else if (does) {
    next = token + 1 < tokens_.size() ? read(token + 1, own) : token + 1;
    next = skip_to_end(next);
  } else if (cases || named) {
    while (next < tokens_.size() && !is(next, ":")) ++next;
    next = std::min(next + 1, tokens_.size());
  } else {
    next = std::max(skip_to_end(token), token + 1);
  }
  Statement& made = all_[own];
  made.end = tokens_[next - 1].end;
  made.leaves = is(token, "return") || is(token, "break") || is(token, "continue") || is(token, "goto");
  return next;
}

std::optional<std::size_t> Statements::at(std::size_t offset) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (offset < all_[i].begin || offset >= all_[i].end || all_[i].kind == Statement::Kind::block) continue;
    if (!found || all_[i].end - all_[i].begin <= all_[*found].end - all_[*found].begin) found = i;
  }
  return found;
}

std::size_t Statements::body_of(std::size_t statement) const {
  while (all_[statement].parent != Statement::kNone) statement = all_[statement].parent;
  return statement;
}

std::vector<std::size_t> Statements::own_tokens(std::size_t statement) const {
  const Statement& own = all_[statement];
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::size_t at = tokens_[i].begin;
    if (at < own.begin || at >= own.end) continue;
    const bool of_part = std::any_of(own.parts.begin(), own.parts.end(),
                                     [&](std::size_t part) { return at >= all_[part].begin && at < all_[part].end; });
    if (!of_part) found.push_back(i);
  }
  return found;
}

}  // namespace weakspot::prove

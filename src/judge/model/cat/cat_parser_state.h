// SPDX-License-Identifier: MIT
// The state that the two halves of the parser (statements, expressions) share: tokens, position and mistakes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cat/cat_ast.h"
#include "model/cat/cat_lexer.h"

namespace weakspot::model::cat {

class ParserState {
 public:
  ParserState(const base::Source& source, const std::vector<Token>& tokens, base::Diagnostics& mistakes)
      : source_(source), tokens_(tokens), mistakes_(mistakes) {}

  const base::Source& source() const { return source_; }
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  const Token& next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    last_end_ = token.span.end;
    return token;
  }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool accept(std::string_view word) {
    if (!peek().is(word)) return false;
    next();
    return true;
  }
  // A mistake if the next token is not `word`.
  bool expect(std::string_view word, std::string_view context);
  std::optional<Name> name(std::string_view what);
  std::optional<Name> tag_pattern();  // 'tag ->, or _ -> (none)
  // "expected WHAT, found ...". Only the first mistake of a statement is reported.
  void expected(std::string_view what);
  void mistake(base::Span span, std::string message);
  bool failed() const { return failed_; }
  void recover();  // to the next word that starts a statement

  base::Span since(std::uint32_t begin) const { return {begin, last_end_ > begin ? last_end_ : begin + 1}; }
  std::uint32_t here() const { return peek().span.begin; }

  // Nesting is bounded: the walkers are recursive, and files may be hostile.
  static constexpr int kMaxDepth = 400;
  class Nesting {
   public:
    explicit Nesting(ParserState& state) : state_(state) {
      if (++state_.depth_ == kMaxDepth) state_.mistake(state_.peek().span, "this is nested too deeply");
    }
    ~Nesting() { --state_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool too_deep() const { return state_.depth_ >= kMaxDepth; }

   private:
    ParserState& state_;
  };

 private:
  const base::Source& source_;
  const std::vector<Token>& tokens_;
  base::Diagnostics& mistakes_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

// Each reads what it needs and leaves the state behind it. After a mistake the result may be incomplete.
ExprPtr parse_expression(ParserState& state);  // let, fun, try, if, match, tuples, operators
ExprPtr parse_operators(ParserState& state);   // without tuples at the top
ExprPtr parse_simple(ParserState& state);      // one argument of a call
std::vector<Binding> parse_bindings(ParserState& state);
Pattern parse_parameter(ParserState& state);  // x, _, (x, y)
VariantCondition parse_variant_condition(ParserState& state);
bool starts_variant_condition(const ParserState& state);

}  // namespace weakspot::model::cat

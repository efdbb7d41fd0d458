// SPDX-License-Identifier: MIT
#include "model/cat/cat_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "model/cat/cat_lexer.h"
#include "model/cat/cat_parser_state.h"

namespace weakspot::model::cat {

bool ParserState::expect(std::string_view word, std::string_view context) {
  if (failed_) return false;
  if (accept(word)) return true;
  expected(fmt::format("'{}' {}", word, context));
  return false;
}

std::optional<Name> ParserState::name(std::string_view what) {
  if (peek().kind == TokenKind::name) {
    const Token& token = next();
    return Name{std::string(token.text), token.span};
  }
  expected(what);
  return std::nullopt;
}

std::optional<Name> ParserState::tag_pattern() {
  std::optional<Name> tag;
  if (peek().kind == TokenKind::tag) {
    const Token& token = next();
    tag = Name{std::string(token.text), token.span};
  } else if (!accept("_")) {
    expected("a tag or '_'");
  }
  expect("->", "after the pattern");
  return tag;
}

void ParserState::expected(std::string_view what) {
  // At the end of the file: just behind the last word.
  const base::Span span = at_end() && last_end_ > 0 ? base::Span{last_end_, last_end_ + 1} : peek().span;
  mistake(span, fmt::format("expected {}, found {}", what, describe(peek())));
}

void ParserState::mistake(base::Span span, std::string message) {
  if (failed_) return;
  failed_ = true;
  constexpr std::size_t kLimit = 20;
  if (mistakes_.size() < kLimit) mistakes_.push_back(base::error_at(source_, span, std::move(message)));
}

namespace {

bool starts_statement(const Token& token) {
  if (token.kind != TokenKind::keyword) return false;
  for (std::string_view word : {"let",     "acyclic", "irreflexive", "empty",   "flag",      "undefined_unless",
                                "assert",  "show",    "unshow",      "include", "procedure", "call",
                                "forall",  "with",    "if",          "match",   "enum",      "instructions",
                                "default", "debug"}) {
    if (token.text == word) return true;
  }
  return false;
}

// Without line ends and indentation, and without the stars of comments like `(*** ... ***)`.
std::string unfolded(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of("* \n\t\r"), text.size());
  text = text.substr(begin, text.find_last_not_of("* \n\t\r") + 1 - begin);
  std::string result;
  for (char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) result += c;
    if (blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  return result;
}

bool starts_check(const Token& token) {
  return token.is("acyclic") || token.is("irreflexive") || token.is("empty") || token.is("flag") ||
         token.is("undefined_unless") || token.is("assert") || token.is("~");
}

class StatementParser {
 public:
  explicit StatementParser(ParserState& state) : state_(state) {}

  // Statements up to a word that cannot start one (end, else, ||, the end of the file).
  Statements list() {
    Statements statements;
    while (!state_.failed() && (starts_statement(state_.peek()) || state_.peek().is("~"))) one(statements);
    return statements;
  }

  Statements file() {
    Statements statements;
    while (!state_.at_end()) {
      if (starts_statement(state_.peek()) || state_.peek().is("~")) {
        one(statements);
      } else {
        state_.expected("a statement");
      }
      if (state_.failed()) state_.recover();
    }
    return statements;
  }

 private:
  void one(Statements& out) {
    const ParserState::Nesting nesting(state_);
    const std::uint32_t begin = state_.here();
    Statement statement;
    statement.source = &state_.source();
    statement.words = unfolded(state_.peek().words);
    std::optional<Statement> after;
    if (!nesting.too_deep()) body(statement, after);
    statement.span = state_.since(begin);
    out.push_back(std::move(statement));
    if (after) out.push_back(std::move(*after));
  }

  void body(Statement& statement, std::optional<Statement>& after) {
    if (starts_check(state_.peek())) return check(statement);
    const Token& word = state_.next();
    if (word.text == "let") return let(statement, after);
    if (word.text == "show") return show(statement);
    if (word.text == "unshow") return unshow(statement);
    if (word.text == "include") return include(statement);
    if (word.text == "procedure") return procedure(statement);
    if (word.text == "call") return call(statement);
    if (word.text == "forall") return for_all(statement);
    if (word.text == "with") return with_from(statement);
    if (word.text == "if") return if_variant(statement);
    if (word.text == "match") return match(statement);
    if (word.text == "enum") return enumeration(statement);
    if (word.text == "debug") {
      statement.kind = StatementKind::debug;
      statement.expr = parse_expression(state_);
      return;
    }
    instructions(statement);
  }

  void check(Statement& statement) {
    statement.kind = StatementKind::check;
    if (state_.accept("flag")) {
      statement.role = CheckRole::flag;
    } else if (state_.accept("undefined_unless")) {
      statement.role = CheckRole::undefined_unless;
    } else if (state_.accept("assert")) {
      statement.role = CheckRole::assertion;
    }
    statement.negated = state_.accept("~");
    if (state_.accept("acyclic")) {
      statement.test = Check::Kind::acyclic;
    } else if (state_.accept("irreflexive")) {
      statement.test = Check::Kind::irreflexive;
    } else if (state_.accept("empty")) {
      statement.test = Check::Kind::empty;
    } else {
      return state_.expected("'acyclic', 'irreflexive' or 'empty'");
    }
    statement.expr = parse_expression(state_);
    if (state_.accept("as")) statement.name = state_.name("a name for the check");
  }

  void let(Statement& statement, std::optional<Statement>& after) {
    statement.kind = state_.accept("rec") ? StatementKind::let_rec : StatementKind::let;
    statement.bindings = parse_bindings(state_);
    if (statement.kind == StatementKind::let_rec && state_.accept("when")) {
      // A condition on every step of the iteration. Steps only grow, so it can be checked on the result.
      const std::uint32_t begin = state_.here();
      after.emplace();
      after->source = &state_.source();
      check(*after);
      after->span = state_.since(begin);
    }
    state_.accept("in");
  }

  void show(Statement& statement) {
    statement.kind = StatementKind::show;
    do {
      ExprPtr expr = parse_operators(state_);
      Name name{expr->kind == ExprKind::variable ? expr->name : std::string(state_.source().slice(expr->span)),
                expr->span};
      if (state_.accept("as")) {
        if (auto given = state_.name("a name to show it as")) name = *given;
      }
      statement.shown.push_back(std::move(expr));
      statement.names.push_back(std::move(name));
    } while (!state_.failed() && state_.accept(","));
  }

  void unshow(Statement& statement) {
    statement.kind = StatementKind::unshow;
    do {
      if (auto name = state_.name("a name")) statement.names.push_back(*name);
    } while (!state_.failed() && state_.accept(","));
  }

  void include(Statement& statement) {
    statement.kind = StatementKind::include;
    if (state_.peek().kind != TokenKind::string) return state_.expected("the name of a file in quotes");
    statement.path = std::string(state_.next().text);
  }

  void procedure(Statement& statement) {
    statement.kind = StatementKind::procedure;
    statement.recursive = state_.accept("rec");
    statement.name = state_.name("the name of the procedure");
    if (state_.failed()) return;
    statement.pattern = parse_parameter(state_);
    state_.expect("=", "after the parameters of the procedure");
    statement.body = list();
    state_.expect("end", "after the procedure");
  }

  void call(Statement& statement) {
    statement.kind = StatementKind::call;
    statement.name = state_.name("the name of a procedure");
    if (state_.failed()) return;
    statement.expr = parse_simple(state_);
    if (state_.accept("as")) statement.as = state_.name("a name for the checks");
  }

  void for_all(Statement& statement) {
    statement.kind = StatementKind::for_all;
    statement.name = state_.name("a name");
    state_.expect("in", "after the name");
    if (state_.failed()) return;
    statement.expr = parse_expression(state_);
    state_.expect("do", "after the set");
    statement.body = list();
    state_.expect("end", "after the body of the loop");
  }

  void with_from(Statement& statement) {
    statement.kind = StatementKind::with_from;
    statement.name = state_.name("a name");
    state_.expect("from", "after the name");
    if (!state_.failed()) statement.expr = parse_expression(state_);
  }

  void if_variant(Statement& statement) {
    statement.kind = StatementKind::if_variant;
    statement.condition = parse_variant_condition(state_);
    statement.body = list();
    if (state_.accept("else")) statement.otherwise = list();
    state_.expect("end", "after the statements of the condition");
  }

  void match(Statement& statement) {
    statement.kind = StatementKind::match_tag;
    statement.expr = parse_expression(state_);
    state_.expect("with", "after the value that is matched");
    state_.accept("||");
    do {
      TagCase tag_case;
      tag_case.tag = state_.tag_pattern();
      tag_case.body = list();
      statement.cases.push_back(std::move(tag_case));
    } while (!state_.failed() && state_.accept("||"));
    state_.expect("end", "after the clauses of the match");
  }

  void enumeration(Statement& statement) {
    statement.kind = StatementKind::enumeration;
    statement.name = state_.name("the name of the enumeration");
    state_.expect("=", "after the name");
    state_.accept("||");
    do {
      if (state_.failed()) return;
      if (state_.peek().kind != TokenKind::tag) return state_.expected("a tag such as 'acq");
      const Token& token = state_.next();
      statement.names.push_back(Name{std::string(token.text), token.span});
    } while (state_.accept("||"));
  }

  void instructions(Statement& statement) {
    statement.kind = StatementKind::instructions;
    statement.name = state_.name("a kind of event such as R, W or F");
    state_.expect("[", "after the kind of event");
    while (!state_.failed() && !state_.peek().is("]")) {
      statement.shown.push_back(parse_operators(state_));
      if (!state_.accept(",")) break;
    }
    state_.expect("]", "after the annotations");
  }

  ParserState& state_;
};

void header(ParserState& state, File& file) {
  std::vector<std::string> words;
  while (state.peek().kind == TokenKind::name) words.emplace_back(state.next().text);
  if (state.peek().kind == TokenKind::string) words.emplace_back(state.next().text);
  if (!words.empty()) file.header_name = words.back();
  if (!words.empty()) file.header_arch = words.front();
  file.computes_dependencies = state.accept("catdep");
}

}  // namespace

void ParserState::recover() {
  failed_ = false;
  while (!at_end()) {
    // `let ... in`, `with` and `match` also occur inside expressions; a check or an include does not.
    if (starts_statement(peek()) && !peek().is("with") && !peek().is("match") && !peek().is("if")) return;
    next();
  }
}

File parse(const base::Source& source, base::Diagnostics& mistakes) {
  File file;
  const Tokens tokens = lex(source, mistakes);
  file.first_comment = tokens.first_comment;
  file.properties = tokens.properties;
  ParserState state(source, tokens.tokens, mistakes);
  header(state, file);
  file.statements = StatementParser(state).file();
  return file;
}

}  // namespace weakspot::model::cat

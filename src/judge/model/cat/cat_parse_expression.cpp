// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "model/cat/cat_parser_state.h"

namespace weakspot::model::cat {
namespace {

ExprPtr make(ParserState& state, ExprKind kind, std::uint32_t begin) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->span = state.since(begin);
  expr->source = &state.source();
  return expr;
}

template <typename... Operands>
ExprPtr make(ParserState& state, ExprKind kind, std::uint32_t begin, Operands... operands) {
  ExprPtr expr = make(state, kind, begin);
  (expr->operands.push_back(std::move(operands)), ...);
  return expr;
}

// The expression after an expected word; a stump if the word was missing.
ExprPtr parse_rest(ParserState& state, std::uint32_t begin) {
  return state.failed() ? make(state, ExprKind::empty_relation, begin) : parse_expression(state);
}

bool starts_operand(const Token& token) {
  switch (token.kind) {
    case TokenKind::name:
    case TokenKind::tag:
      return true;
    case TokenKind::symbol:
      return token.text == "(" || token.text == "[" || token.text == "{" || token.text == "_" || token.text == "0" ||
             token.text == "~";
    case TokenKind::keyword:
      return token.text == "begin";
    case TokenKind::end:
    case TokenKind::string:
      break;
  }
  return false;
}

bool starts_argument(const Token& token) { return starts_operand(token) && !token.is("~"); }

ExprPtr variable(ParserState& state) {
  const std::uint32_t begin = state.here();
  const Token& token = state.next();
  ExprPtr expr = make(state, ExprKind::variable, begin);
  expr->name = std::string(token.text);
  return expr;
}

ExprPtr comma_list(ParserState& state, ExprKind kind, std::uint32_t begin, ExprPtr first) {
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(first));
  while (state.accept(",")) operands.push_back(parse_operators(state));
  ExprPtr expr = make(state, kind, begin);
  expr->operands = std::move(operands);
  return expr;
}

ExprPtr parenthesised(ParserState& state, std::string_view closing) {
  const std::uint32_t begin = state.here();
  state.next();
  if (closing == ")" && state.accept(")")) return make(state, ExprKind::tuple, begin);
  ExprPtr inside = parse_expression(state);
  state.expect(closing, closing == ")" ? "after the expression in parentheses" : "after the expression");
  return inside;
}

// f x y: application to the left.
ExprPtr application(ParserState& state) {
  const std::uint32_t begin = state.here();
  ExprPtr expr = variable(state);
  while (!state.failed() && starts_argument(state.peek())) {
    ExprPtr argument = parse_simple(state);
    expr = make(state, ExprKind::application, begin, std::move(expr), std::move(argument));
  }
  return expr;
}

ExprPtr postfix(ParserState& state) {
  const std::uint32_t begin = state.here();
  ExprPtr expr = state.peek().kind == TokenKind::name ? application(state) : parse_simple(state);
  while (!state.failed()) {
    if (state.accept("+")) {
      expr = make(state, ExprKind::closure, begin, std::move(expr));
    } else if (state.accept("?")) {
      expr = make(state, ExprKind::optional, begin, std::move(expr));
    } else if (state.accept("^-1") || state.accept("-1")) {
      expr = make(state, ExprKind::inverse, begin, std::move(expr));
    } else if (state.peek().is("^") && (state.peek(1).is("-1") || state.peek(1).is("+") || state.peek(1).is("*"))) {
      state.next();
    } else if (state.peek().is("*") && !starts_operand(state.peek(1))) {
      state.next();
      expr = make(state, ExprKind::star, begin, std::move(expr));
    } else {
      break;
    }
  }
  return expr;
}

ExprPtr product(ParserState& state);

ExprPtr prefix(ParserState& state) {
  if (!state.peek().is("~")) return postfix(state);
  const ParserState::Nesting nesting(state);
  const std::uint32_t begin = state.here();
  state.next();
  if (nesting.too_deep()) return make(state, ExprKind::empty_relation, begin);
  ExprPtr operand = product(state);
  return make(state, ExprKind::complement, begin, std::move(operand));
}

ExprPtr product(ParserState& state) {
  const std::uint32_t begin = state.here();
  ExprPtr expr = prefix(state);
  while (!state.failed() && state.accept("*")) {
    ExprPtr right = prefix(state);
    expr = make(state, ExprKind::product, begin, std::move(expr), std::move(right));
  }
  return expr;
}

// One level of an associative operator, as one node with all operands.
template <typename Operand>
ExprPtr chain(ParserState& state, std::string_view symbol, ExprKind kind, Operand operand) {
  const std::uint32_t begin = state.here();
  ExprPtr first = operand(state);
  if (!state.peek().is(symbol)) return first;
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(first));
  while (!state.failed() && state.accept(symbol)) operands.push_back(operand(state));
  ExprPtr expr = make(state, kind, begin);
  expr->operands = std::move(operands);
  return expr;
}

ExprPtr intersection(ParserState& state) { return chain(state, "&", ExprKind::intersect, product); }

ExprPtr difference(ParserState& state) {
  const std::uint32_t begin = state.here();
  ExprPtr expr = intersection(state);
  while (!state.failed() && state.accept("\\")) {
    ExprPtr right = intersection(state);
    expr = make(state, ExprKind::subtract, begin, std::move(expr), std::move(right));
  }
  return expr;
}

ExprPtr sequence(ParserState& state) { return chain(state, ";", ExprKind::sequence, difference); }

ExprPtr addition(ParserState& state) {
  const ParserState::Nesting nesting(state);
  const std::uint32_t begin = state.here();
  ExprPtr expr = sequence(state);
  if (state.failed() || nesting.too_deep() || !state.accept("++")) return expr;
  ExprPtr right = addition(state);
  return make(state, ExprKind::add, begin, std::move(expr), std::move(right));
}

ExprPtr let_expression(ParserState& state, std::uint32_t begin) {
  state.next();
  const bool recursive = state.accept("rec");
  std::vector<Binding> bindings = parse_bindings(state);
  state.expect("in", "after the definition inside an expression");
  ExprPtr body = parse_rest(state, begin);
  ExprPtr expr = make(state, recursive ? ExprKind::let_rec_in : ExprKind::let_in, begin, std::move(body));
  expr->bindings = std::move(bindings);
  return expr;
}

ExprPtr fun_expression(ParserState& state, std::uint32_t begin) {
  state.next();
  Pattern pattern = parse_parameter(state);
  state.expect("->", "after the parameter of the function");
  ExprPtr body = parse_rest(state, begin);
  ExprPtr expr = make(state, ExprKind::function, begin, std::move(body));
  expr->pattern = std::move(pattern);
  return expr;
}

ExprPtr try_expression(ParserState& state, std::uint32_t begin) {
  state.next();
  ExprPtr first = parse_expression(state);
  state.expect("with", "after the expression that is tried");
  ExprPtr second = parse_rest(state, begin);
  return make(state, ExprKind::try_with, begin, std::move(first), std::move(second));
}

ExprPtr if_expression(ParserState& state, std::uint32_t begin) {
  state.next();
  ExprKind kind = ExprKind::if_variant;
  VariantCondition condition;
  ExprPtr left;
  ExprPtr right;
  if (starts_variant_condition(state)) {
    condition = parse_variant_condition(state);
  } else {
    left = parse_operators(state);
    if (state.accept("=")) {
      kind = ExprKind::if_equal;
    } else if (state.accept("subset")) {
      kind = ExprKind::if_subset;
    } else if (state.accept("in")) {
      kind = ExprKind::if_member;
    } else {
      state.expected("'=', 'subset' or 'in' in the condition");
    }
    if (!state.failed()) right = parse_operators(state);
  }
  state.expect("then", "after the condition");
  ExprPtr yes = parse_rest(state, begin);
  state.expect("else", "after the first branch");
  ExprPtr no = parse_rest(state, begin);
  ExprPtr expr = make(state, kind, begin, std::move(yes), std::move(no));
  expr->condition = std::move(condition);
  if (left && right) {
    expr->operands.push_back(std::move(left));
    expr->operands.push_back(std::move(right));
  }
  return expr;
}

std::optional<Name> pattern_name(ParserState& state) {
  if (state.peek().is("_")) {
    const Token& token = state.next();
    return Name{"", token.span};
  }
  return state.name("a name or '_'");
}

// || {} -> e || [before |] element ++ rest -> e, in either order.
ExprPtr match_set(ParserState& state, std::uint32_t begin, ExprPtr subject) {
  ExprPtr on_empty;
  ExprPtr on_element;
  Pattern pattern;
  do {
    if (state.accept("{")) {
      state.expect("}", "in the pattern of the empty set");
      state.expect("->", "after the pattern");
      if (on_empty) state.mistake(state.peek().span, "duplicate clause for the empty set");
      if (!state.failed()) on_empty = parse_expression(state);
    } else {
      const std::uint32_t start = state.here();
      std::vector<Name> names;
      if (auto name = pattern_name(state)) names.push_back(*name);
      if (state.accept("|")) {
        if (auto name = pattern_name(state)) names.push_back(*name);
      }
      state.expect("++", "in the pattern 'element ++ rest'");
      if (auto name = state.failed() ? std::nullopt : pattern_name(state)) names.push_back(*name);
      // Kept as element, rest, before.
      if (names.size() == 3) names = {names[1], names[2], names[0]};
      pattern.names = std::move(names);
      pattern.span = state.since(start);
      state.expect("->", "after the pattern");
      if (on_element) state.mistake(state.peek().span, "duplicate clause for the elements of the set");
      if (!state.failed()) on_element = parse_expression(state);
    }
  } while (!state.failed() && state.accept("||"));
  state.expect("end", "after the clauses of the match");
  if (!state.failed() && (!on_empty || !on_element)) {
    state.mistake(state.since(begin), "a match on a set needs two clauses: '{} -> ...' and 'element ++ rest -> ...'");
  }
  if (!on_empty) on_empty = make(state, ExprKind::empty_relation, begin);
  if (!on_element) on_element = make(state, ExprKind::empty_relation, begin);
  ExprPtr expr =
      make(state, ExprKind::match_set, begin, std::move(subject), std::move(on_empty), std::move(on_element));
  expr->pattern = std::move(pattern);
  return expr;
}

ExprPtr match_expression(ParserState& state, std::uint32_t begin) {
  state.next();
  ExprPtr subject = parse_expression(state);
  state.expect("with", "after the value that is matched");
  state.accept("||");
  const bool on_tags = state.peek().kind == TokenKind::tag || (state.peek().is("_") && state.peek(1).is("->"));
  if (!on_tags) return match_set(state, begin, std::move(subject));
  std::vector<Clause> clauses;
  do {
    Clause clause;
    clause.tag = state.tag_pattern();
    clause.body = parse_rest(state, begin);
    clauses.push_back(std::move(clause));
  } while (!state.failed() && state.accept("||"));
  state.expect("end", "after the clauses of the match");
  ExprPtr expr = make(state, ExprKind::match_tag, begin, std::move(subject));
  expr->clauses = std::move(clauses);
  return expr;
}

VariantCondition variant_primary(ParserState& state) {
  const ParserState::Nesting nesting(state);
  VariantCondition condition;
  if (nesting.too_deep()) return condition;
  if (state.accept("not")) {
    condition.kind = VariantCondition::Kind::negation;
    condition.operands.push_back(variant_primary(state));
    return condition;
  }
  if (state.accept("(")) {
    condition = parse_variant_condition(state);
    state.expect(")", "after the condition in parentheses");
    return condition;
  }
  state.accept("variant");
  if (state.peek().kind == TokenKind::string) {
    condition.name = std::string(state.next().text);
  } else {
    state.expected("the name of a variant in quotes");
  }
  return condition;
}

VariantCondition joined(VariantCondition left, VariantCondition right, VariantCondition::Kind kind) {
  VariantCondition both;
  both.kind = kind;
  both.operands.push_back(std::move(left));
  both.operands.push_back(std::move(right));
  return both;
}

}  // namespace

bool starts_variant_condition(const ParserState& state) {
  std::size_t ahead = 0;
  while (ahead < 100 && state.peek(ahead).is("(")) ++ahead;
  const Token& token = state.peek(ahead);
  return token.kind == TokenKind::string || token.is("variant") || token.is("not");
}

VariantCondition parse_variant_condition(ParserState& state) {
  // && binds tighter than ||.
  VariantCondition result = variant_primary(state);
  while (!state.failed()) {
    if (state.accept("&&")) {
      result = joined(std::move(result), variant_primary(state), VariantCondition::Kind::conjunction);
    } else if (state.accept("||")) {
      result = joined(std::move(result), parse_variant_condition(state), VariantCondition::Kind::disjunction);
    } else {
      break;
    }
  }
  return result;
}

ExprPtr parse_simple(ParserState& state) {
  const ParserState::Nesting nesting(state);
  const std::uint32_t begin = state.here();
  const Token& token = state.peek();
  if (nesting.too_deep()) return make(state, ExprKind::empty_relation, begin);
  if (token.kind == TokenKind::name) return variable(state);
  if (token.kind == TokenKind::tag) {
    state.next();
    ExprPtr expr = make(state, ExprKind::tag, begin);
    expr->name = std::string(token.text);
    return expr;
  }
  if (token.is("(")) return parenthesised(state, ")");
  if (token.is("begin")) return parenthesised(state, "end");
  if (state.accept("0")) return make(state, ExprKind::empty_relation, begin);
  if (state.accept("_")) return make(state, ExprKind::universe, begin);
  if (state.accept("[")) {
    ExprPtr inside = parse_expression(state);
    state.expect("]", "after the set in brackets");
    return make(state, ExprKind::identity_on, begin, std::move(inside));
  }
  if (state.accept("{")) {
    if (state.accept("}")) return make(state, ExprKind::explicit_set, begin);
    ExprPtr expr = comma_list(state, ExprKind::explicit_set, begin, parse_operators(state));
    state.expect("}", "after the elements of the set");
    expr->span = state.since(begin);
    return expr;
  }
  state.expected("an expression");
  return make(state, ExprKind::empty_relation, begin);
}

ExprPtr parse_operators(ParserState& state) {
  const ParserState::Nesting nesting(state);
  if (nesting.too_deep()) return make(state, ExprKind::empty_relation, state.here());
  return chain(state, "|", ExprKind::unite, addition);
}

ExprPtr parse_expression(ParserState& state) {
  const ParserState::Nesting nesting(state);
  const std::uint32_t begin = state.here();
  if (nesting.too_deep() || state.failed()) return make(state, ExprKind::empty_relation, begin);
  const Token& token = state.peek();
  if (token.is("let")) return let_expression(state, begin);
  if (token.is("fun")) return fun_expression(state, begin);
  if (token.is("try")) return try_expression(state, begin);
  if (token.is("if")) return if_expression(state, begin);
  if (token.is("match")) return match_expression(state, begin);
  ExprPtr expr = parse_operators(state);
  if (!state.peek().is(",")) return expr;
  return comma_list(state, ExprKind::tuple, begin, std::move(expr));
}

Pattern parse_parameter(ParserState& state) {
  Pattern pattern;
  const std::uint32_t begin = state.here();
  if (state.accept("(")) {
    pattern.tuple = true;
    if (!state.accept(")")) {
      do {
        if (auto name = pattern_name(state)) pattern.names.push_back(*name);
      } while (!state.failed() && state.accept(","));
      state.expect(")", "after the parameters");
    }
    if (pattern.names.size() == 1) pattern.tuple = false;
  } else if (auto name = pattern_name(state)) {
    pattern.names.push_back(*name);
  }
  pattern.span = state.since(begin);
  return pattern;
}

std::vector<Binding> parse_bindings(ParserState& state) {
  std::vector<Binding> bindings;
  do {
    Binding binding;
    std::vector<Pattern> parameters;
    const std::uint32_t begin = state.here();
    if (state.peek().is("(")) {
      binding.pattern = parse_parameter(state);
    } else {
      if (auto name = pattern_name(state)) binding.pattern.names.push_back(*name);
      while (!state.failed() && state.accept(",")) {
        binding.pattern.tuple = true;
        if (auto name = pattern_name(state)) binding.pattern.names.push_back(*name);
      }
      binding.pattern.span = state.since(begin);
      while (!state.failed() && !binding.pattern.tuple && !state.peek().is("=")) {
        if (parameters.size() == 20) state.mistake(state.peek().span, "a function has at most 20 parameters");
        parameters.push_back(parse_parameter(state));
      }
    }
    state.expect("=", "in the definition");
    binding.value = parse_rest(state, begin);
    while (!parameters.empty()) {
      ExprPtr function = make(state, ExprKind::function, begin, std::move(binding.value));
      function->pattern = std::move(parameters.back());
      if (!binding.pattern.names.empty()) function->name = binding.pattern.names.front().text;
      parameters.pop_back();
      binding.value = std::move(function);
    }
    bindings.push_back(std::move(binding));
  } while (!state.failed() && state.accept("and"));
  return bindings;
}

}  // namespace weakspot::model::cat

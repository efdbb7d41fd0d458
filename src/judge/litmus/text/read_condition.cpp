// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "litmus/text/columns.h"

namespace weakspot::litmus {
namespace {

constexpr int kDeepestProposition = 200;

class PropositionReader {
 public:
  PropositionReader(Cursor& cursor, const NameLookup& names) : cursor_(cursor), names_(names) {}

  // implication := disjunction [ '=>' implication ]
  std::optional<Proposition> implication() {
    if (++depth_ > kDeepestProposition) {
      cursor_.mistake(cursor_.peek().span,
                      fmt::format("the proposition is nested more than {} deep", kDeepestProposition));
      return std::nullopt;
    }
    std::optional<Proposition> left = series("\\/", "||", any_of, [this] { return conjunction(); });
    if (left && cursor_.accept("=>")) {
      std::optional<Proposition> right = implication();
      if (!right) return std::nullopt;
      Proposition whole;
      whole.kind = Proposition::Kind::implication;
      whole.span = {left->span.begin, right->span.end};
      whole.children = {std::move(*left), std::move(*right)};
      left = std::move(whole);
    }
    --depth_;
    return left;
  }

 private:
  std::optional<Proposition> conjunction() {
    return series("/\\", "&&", all_of, [this] { return unary(); });
  }

  template <typename Join, typename Part>
  std::optional<Proposition> series(std::string_view sign, std::string_view other, Join join, Part part) {
    std::optional<Proposition> next = part();
    if (!next || !(cursor_.peek().is(sign) || cursor_.peek().is(other))) return next;
    std::vector<Proposition> parts;
    parts.reserve(4);
    parts.push_back(std::move(*next));
    while (cursor_.accept(sign) || cursor_.accept(other)) {
      next = part();
      if (!next) return std::nullopt;
      parts.push_back(std::move(*next));
    }
    return join(std::move(parts));
  }

  std::optional<Proposition> unary() {
    const base::Span start = cursor_.peek().span;
    if (cursor_.peek().is("~") || cursor_.peek().is("not")) {
      std::size_t negations = 0;
      while (cursor_.accept("~") || cursor_.accept("not")) ++negations;
      std::optional<Proposition> part = primary();
      if (!part) return std::nullopt;
      if (negations % 2 == 1) part = negation(std::move(*part));
      part->span.begin = start.begin;
      return part;
    }
    return primary();
  }

  std::optional<Proposition> primary() {
    if (cursor_.accept("(")) {
      std::optional<Proposition> inner = implication();
      if (!inner || !cursor_.expect(")", "to close the parenthesis")) return std::nullopt;
      return inner;
    }
    const Token word = cursor_.peek();
    if (word.is("true") || word.is("false")) {
      cursor_.next();
      Proposition constant;
      constant.kind = word.is("true") ? Proposition::Kind::truth : Proposition::Kind::falsity;
      constant.span = word.span;
      return constant;
    }
    return comparison();
  }

  // x={1,2}: each element of an array.
  std::optional<Proposition> array_comparison(LocationId first) {
    const Token name = cursor_.next();
    if (!cursor_.peek().is("=") || !cursor_.peek_second().is("{")) {
      cursor_.mistake(name.span, fmt::format("{} is an array; expected an element such as {}[0], or '=' and a list of "
                                             "values such as {{0,1}}",
                                             describe(name), name.text));
      return std::nullopt;
    }
    cursor_.next();
    cursor_.next();
    const Location& array = names_.builder[first];
    std::vector<Proposition> parts;
    do {
      std::optional<Term> right = term(false);
      if (!right) return std::nullopt;
      const LocationId element{first.index + static_cast<std::uint32_t>(parts.size())};
      parts.push_back(compare(Term(Observable(element)), CompareOp::eq, *right));
      parts.back().span = {name.span.begin, cursor_.last_end()};
    } while (parts.size() < array.elements && (cursor_.accept(",") || cursor_.accept(";")));
    if (parts.size() != array.elements) {
      cursor_.mistake(cursor_.here(), fmt::format("array {} has {} elements", describe(name), array.elements));
      return std::nullopt;
    }
    if (!cursor_.expect("}", "after the values of the array")) return std::nullopt;
    return all_of(std::move(parts));
  }

  std::optional<Proposition> comparison() {
    const base::Span start = cursor_.peek().span;
    if (cursor_.peek().kind == Token::Kind::word && !cursor_.peek_second().is("[") && !cursor_.peek_second().is(":")) {
      const std::optional<LocationId> named = names_.builder.find_location(cursor_.peek().text);
      if (named && names_.builder[*named].is_array()) return array_comparison(*named);
    }
    std::optional<Term> left = term(true);
    if (!left) return std::nullopt;
    std::optional<CompareOp> op = comparison_sign();
    if (!op) {
      cursor_.expected("'=', '!=', '<', '<=', '>' or '>='");
      return std::nullopt;
    }
    std::optional<Term> right = term(false);
    if (!right) return std::nullopt;
    Proposition whole = compare(*left, *op, *right);
    whole.span = {start.begin, cursor_.last_end()};
    return whole;
  }

  std::optional<CompareOp> comparison_sign() {
    if (cursor_.accept("=") || cursor_.accept("==")) return CompareOp::eq;
    if (cursor_.accept("!=")) return CompareOp::ne;
    if (cursor_.accept("<=")) return CompareOp::le;
    if (cursor_.accept(">=")) return CompareOp::ge;
    if (cursor_.accept("<")) return CompareOp::lt;
    if (cursor_.accept(">")) return CompareOp::gt;
    return std::nullopt;
  }

  // A name alone is a location's value on the left and a location's address on the right, as in `0:r1=x`.
  std::optional<Term> term(bool left) {
    const Token token = cursor_.peek();
    const bool thread = cursor_.peek_second().is(":") && thread_number(token).has_value();
    if (thread) return observed_register();
    if (token.kind == Token::Kind::number || token.is("-")) {
      std::optional<std::int64_t> number = cursor_.integer("a number");
      if (!number) return std::nullopt;
      return Term(integer(*number));
    }
    if (cursor_.accept("[")) {
      std::optional<LocationId> id = location();
      if (!id || !cursor_.expect("]", "after the location")) return std::nullopt;
      return Term(Observable(*id));
    }
    if (cursor_.accept("*")) {
      std::optional<LocationId> id = location();
      if (!id) return std::nullopt;
      return Term(Observable(*id));
    }
    const bool address = cursor_.accept("&");
    if (cursor_.peek().kind != Token::Kind::word) {
      cursor_.expected("a register such as 1:r0, a location or a number");
      return std::nullopt;
    }
    std::optional<LocationId> id = location();
    if (!id) return std::nullopt;
    if (!address && left) return Term(Observable(*id));
    const Location& named = names_.builder[*id];
    Value value = address_of(LocationId{id->index - named.element});
    value.number = std::int64_t{named.element} * size_in_bytes(named.type);
    if (cursor_.accept("+")) {
      std::optional<std::int64_t> offset = cursor_.integer("an offset in bytes");
      if (!offset) return std::nullopt;
      value.number = wrapping_sum(value.number, *offset);
    }
    return Term(value);
  }

  std::optional<Term> observed_register() {
    const Token number = cursor_.next();
    const ThreadId thread = *thread_number(number);
    cursor_.next();
    std::optional<Token> name = cursor_.word("a register");
    if (!name) return std::nullopt;
    if (thread.index >= names_.builder.test.threads.size()) {
      cursor_.mistake(number.span, fmt::format("there is no thread {}; the test has {}", thread.index,
                                               names_.builder.test.threads.size()));
      return std::nullopt;
    }
    const std::optional<RegisterId> reg = names_.find(thread, name->text);
    if (!reg) {
      cursor_.mistake(name->span, fmt::format("thread {} has no register {}", thread.index, describe(*name)));
      return std::nullopt;
    }
    return Term(Observable(ObservedRegister{thread, *reg}));
  }

  std::optional<LocationId> location() {
    std::optional<Token> name = cursor_.word("a location");
    if (!name) return std::nullopt;
    std::optional<LocationId> id = names_.builder.find_location(name->text);
    if (!id) cursor_.mistake(name->span, fmt::format("there is no location {}", describe(*name)));
    if (!id || !cursor_.peek().is("[")) return id;
    std::optional<std::uint32_t> element = read_element(cursor_, names_.builder[*id], *name);
    if (!element) return std::nullopt;
    return LocationId{id->index + *element};
  }

  Cursor& cursor_;
  const NameLookup& names_;
  int depth_ = 0;
};

}  // namespace

std::optional<RegisterId> NameLookup::find(ThreadId thread, std::string_view name) const {
  const std::optional<std::string> known = register_name(name);
  if (!known) return std::nullopt;
  if (all_registers) return builder.reg(thread, *known);
  return builder.find_register(thread, *known);
}

std::optional<Proposition> read_proposition(Cursor& cursor, const NameLookup& names) {
  return PropositionReader(cursor, names).implication();
}

}  // namespace weakspot::litmus

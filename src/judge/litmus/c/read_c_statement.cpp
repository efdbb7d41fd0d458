// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/c/c_reader.h"

namespace weakspot::litmus {
namespace {

constexpr int kDeepestStatement = 200;

// The number in `B12`, by which some tests name their barriers.
std::optional<std::int64_t> barrier_number(std::string_view label) {
  if (label.size() < 2 || label.size() > 10 || label[0] != 'B') return std::nullopt;
  if (label.find_first_not_of("0123456789", 1) != std::string_view::npos) return std::nullopt;
  return parse_integer(label.substr(1), false);
}

bool is_barrier_call(const Token& token) {
  return token.is("barrier") || token.is("work_group_barrier") || token.is("sub_group_barrier");
}

Comparison negated(Comparison comparison) {
  comparison.op = negate(comparison.op);
  return comparison;
}

}  // namespace

// ---- the body ----

bool CFunctionReader::body() {
  body_begin_ = cursor_.position();
  statements_until_brace();
  const base::Span end = cursor_.peek().span;
  if (exit_) place(*exit_, end);
  for (const auto& [label, span] : gotos_) {
    if (barrier_names_.contains(label)) {
      cursor_.mistake(span, fmt::format("'{}' names a barrier and cannot be the target of goto", label));
    } else if (!labels_.contains(label)) {
      cursor_.mistake(span, fmt::format("there is no label '{}' in this function", label));
    }
  }
  number_c_labels(builder_.test.threads[thread_.index]);
  return cursor_.peek().is("}") || cursor_.mistakes().full();
}

// Whether the condition comes next: the closing brace is missing then.
bool CFunctionReader::at_condition() {
  const Token token = cursor_.peek().is("~") ? cursor_.peek_second() : cursor_.peek();
  return (token.is("exists") || token.is("forall")) && !symbols_.contains(token.text) && !cursor_.peek_second().is(":");
}

void CFunctionReader::statements_until_brace() {
  while (!cursor_.at_end() && !cursor_.peek().is("}") && !at_condition() && !cursor_.mistakes().full()) {
    const std::uint32_t begin = cursor_.position();
    const int depth = depth_;
    const std::size_t blocks = blocks_.size();
    const std::size_t loops = loops_.size();
    if (statement()) continue;
    // Close what the failed statement had opened.
    depth_ = depth;
    loops_.resize(loops);
    while (blocks_.size() > blocks) {
      for (const std::string& name : blocks_.back()) symbols_.find(name)->second.open = false;
      blocks_.pop_back();
    }
    if (cursor_.at_end()) return;
    cursor_.seek(begin);
    do {
      skip_statement();
    } while (cursor_.accept("else"));
  }
}

// To behind the ';' or the block that ends the statement.
void CFunctionReader::skip_statement() {
  int depth = 0;
  while (!cursor_.at_end()) {
    if (depth == 0 && cursor_.peek().is("}")) return;
    const Token token = cursor_.next();
    if (token.is("{") || token.is("(")) ++depth;
    if (token.is(")")) depth = std::max(depth - 1, 0);
    if (token.is("}") && --depth <= 0) return;
    if (token.is(";") && depth == 0) return;
  }
}

bool CFunctionReader::enter(std::string_view what) {
  if (++depth_ <= kDeepestStatement) return true;
  cursor_.mistake(cursor_.peek().span, fmt::format("{} is nested more than {} deep", what, kDeepestStatement));
  --depth_;
  return false;
}

bool CFunctionReader::end_of_statement() { return cursor_.expect(";", "at the end of the statement"); }

bool CFunctionReader::statement() {
  if (!enter("the program")) return false;
  const Token token = cursor_.peek();
  start_ = token.span.begin;
  bool good = true;
  if (cursor_.accept(";")) {
  } else if (cursor_.accept("{")) {
    good = block();
  } else if (cursor_.accept("if")) {
    good = if_statement();
  } else if (cursor_.accept("while")) {
    good = while_statement();
  } else if (cursor_.accept("do")) {
    good = do_statement();
  } else if (cursor_.accept("for")) {
    good = for_statement();
  } else if (token.is("goto") || token.is("break") || token.is("continue") || token.is("return")) {
    cursor_.next();
    good = jump_statement(token);
  } else if (token.is("switch") || token.is("case") || token.is("default")) {
    cursor_.mistake(token.span, "switch is not supported; write it as if and else");
    good = false;
  } else if (token.kind == Token::Kind::word && cursor_.peek_second().is(":")) {
    cursor_.next();
    good = label(token);
  } else if (starts_c_type(token, face_) || (token.kind == Token::Kind::word && !is_c_word(token.text, face_) &&
                                             cursor_.peek_second().kind == Token::Kind::word)) {
    good = declaration() && end_of_statement();
  } else {
    good = simple_statement() && end_of_statement();
  }
  --depth_;
  return good;
}

bool CFunctionReader::block() {
  blocks_.emplace_back();
  statements_until_brace();
  for (const std::string& name : blocks_.back()) symbols_.find(name)->second.open = false;
  blocks_.pop_back();
  return cursor_.accept("}");  // if not, the function is not closed, which is reported once
}

bool CFunctionReader::label(const Token& name) {
  cursor_.next();  // ':'
  if (std::optional<std::int64_t> id = barrier_number(name.text); id && is_barrier_call(cursor_.peek())) {
    barrier_id_ = *id;
    barrier_names_.emplace(name.text);
    return statement();
  }
  if (is_c_word(name.text, face_)) {
    cursor_.mistake(name.span, fmt::format("{} cannot be a label", describe(name)));
  } else if (!labels_.emplace(name.text, name.span).second) {
    cursor_.mistake(name.span, fmt::format("label {} is defined twice in this function", describe(name)));
  } else {
    place(std::string(name.text), name.span);
  }
  return cursor_.peek().is("}") || statement();
}

// ---- control flow ----

std::string CFunctionReader::fresh_label() { return fmt::format("{}{}", kCFreshLabel, next_label_++); }

void CFunctionReader::place(const std::string& label, base::Span span) { emit(Label{label}, span); }

void CFunctionReader::jump(const std::string& label, std::optional<Comparison> condition, base::Span span) {
  emit(Branch{label, std::move(condition)}, span);
}

std::optional<Comparison> CFunctionReader::condition() {
  if (!cursor_.expect("(", "and a condition")) return std::nullopt;
  std::optional<CExpression> given = expression();
  if (!given || !cursor_.expect(")", "after the condition")) return std::nullopt;
  return comparison_of(std::move(*given));
}

std::optional<Comparison> CFunctionReader::comparison_of(CExpression expression) {
  if (const auto* compute = std::get_if<Compute>(&expression.pending)) {
    for (CompareOp op : {CompareOp::eq, CompareOp::ne, CompareOp::lt, CompareOp::le, CompareOp::gt, CompareOp::ge}) {
      if (as_compute(op) == compute->op) return Comparison{op, compute->left, *compute->right};
    }
  }
  std::optional<Operand> operand = value(std::move(expression));
  if (!operand) return std::nullopt;
  return Comparison{CompareOp::ne, *operand, integer(0)};
}

bool CFunctionReader::if_statement() {
  const base::Span span{start_, cursor_.last_end()};
  std::optional<Comparison> test = condition();
  if (!test) return false;
  // `if (c) goto L;` is one conditional branch.
  if (cursor_.peek().is("goto")) {
    const Token keyword = cursor_.next();
    std::optional<Token> target = cursor_.word("a label after 'goto'");
    if (!target || !end_of_statement()) return false;
    if (!cursor_.peek().is("else")) {
      gotos_.emplace_back(target->text, target->span);
      jump(std::string(target->text), test, span);
      return true;
    }
    cursor_.seek(keyword.span.begin);
  }
  const std::string otherwise = fresh_label();
  jump(otherwise, negated(*test), span);
  if (!statement()) return false;
  if (!cursor_.accept("else")) {
    place(otherwise, span);
    return true;
  }
  const std::string after = fresh_label();
  jump(after, std::nullopt, span);
  place(otherwise, span);
  if (!statement()) return false;
  place(after, span);
  return true;
}

bool CFunctionReader::while_statement() {
  const base::Span span{start_, cursor_.last_end()};
  loops_.push_back({fresh_label(), fresh_label()});
  const Loop loop = loops_.back();
  place(loop.next, span);
  std::optional<Comparison> test = condition();
  if (!test) return false;
  jump(loop.after, negated(*test), span);
  if (!statement()) return false;
  jump(loop.next, std::nullopt, span);
  place(loop.after, span);
  loops_.pop_back();
  return true;
}

bool CFunctionReader::do_statement() {
  const base::Span span{start_, cursor_.last_end()};
  const std::string again = fresh_label();
  loops_.push_back({fresh_label(), fresh_label()});
  place(again, span);
  if (!statement()) return false;
  const Loop loop = loops_.back();
  loops_.pop_back();
  if (loop.uses_next) place(loop.next, span);
  if (!cursor_.expect("while", "after the body of 'do'")) return false;
  std::optional<Comparison> test = condition();
  if (!test) return false;
  jump(again, test, span);
  if (loop.uses_after) place(loop.after, span);
  return end_of_statement();
}

// The step is read where it is made: after the body.
bool CFunctionReader::for_statement() {
  const base::Span span{start_, cursor_.last_end()};
  if (!cursor_.expect("(", "after 'for'")) return false;
  blocks_.emplace_back();
  if (!cursor_.accept(";")) {
    if (!(starts_c_type(cursor_.peek(), face_) ? declaration() : simple_statement()) ||
        !cursor_.expect(";", "after the first part of 'for'")) {
      return false;
    }
  }
  const std::string again = fresh_label();
  loops_.push_back({fresh_label(), fresh_label()});
  place(again, span);
  bool conditional = false;
  if (!cursor_.accept(";")) {
    std::optional<CExpression> given = expression();
    if (!given || !cursor_.expect(";", "after the condition of 'for'")) return false;
    std::optional<Comparison> test = comparison_of(std::move(*given));
    if (!test) return false;
    jump(loops_.back().after, negated(*test), span);
    conditional = true;
  }
  const std::uint32_t step = cursor_.position();
  for (int depth = 0; !cursor_.at_end() && depth >= 0;) {
    const Token token = cursor_.next();
    if (token.is("(")) ++depth;
    if (token.is(")")) --depth;
  }
  if (!statement()) return false;
  const std::uint32_t after_body = cursor_.position();
  const Loop loop = loops_.back();
  loops_.pop_back();
  if (loop.uses_next) place(loop.next, span);
  cursor_.seek(step);
  if (!cursor_.peek().is(")") && !simple_statement()) return false;
  if (!cursor_.expect(")", "after the last part of 'for'")) return false;
  cursor_.seek(after_body);
  jump(again, std::nullopt, span);
  if (conditional || loop.uses_after) place(loop.after, span);
  for (const std::string& name : blocks_.back()) symbols_.find(name)->second.open = false;
  blocks_.pop_back();
  return true;
}

bool CFunctionReader::jump_statement(const Token& keyword) {
  const base::Span span = keyword.span;
  if (keyword.is("goto")) {
    std::optional<Token> target = cursor_.word("a label after 'goto'");
    if (!target) return false;
    gotos_.emplace_back(target->text, target->span);
    jump(std::string(target->text), std::nullopt, span);
  } else if (keyword.is("return")) {
    if (!exit_) exit_ = fresh_label();
    if (!cursor_.peek().is(";")) {
      std::optional<CExpression> ignored = expression();
      if (!ignored || !discard(std::move(*ignored))) return false;
    }
    jump(*exit_, std::nullopt, span);
  } else if (loops_.empty()) {
    cursor_.mistake(span, fmt::format("{} is not in a loop", describe(keyword)));
    return false;
  } else if (keyword.is("break")) {
    loops_.back().uses_after = true;
    jump(loops_.back().after, std::nullopt, span);
  } else {
    loops_.back().uses_next = true;
    jump(loops_.back().next, std::nullopt, span);
  }
  return end_of_statement();
}

// ---- simple statements ----

bool CFunctionReader::simple_statement() {
  const Token token = cursor_.peek();
  if (token.is("(") && cursor_.peek_second().is("void")) {
    cursor_.next();
    cursor_.next();
    if (!cursor_.expect(")", "after 'void'")) return false;
  } else if (token.is("*") || (token.kind == Token::Kind::word && cursor_.peek_second().is("["))) {
    return assignment_to_memory();
  } else if (token.is("++") || token.is("--")) {
    cursor_.mistake(token.span, fmt::format("{} is supported behind a variable only", describe(token)));
    return false;
  } else if (token.kind == Token::Kind::word && !cursor_.peek_second().is("(")) {
    cursor_.next();
    return assignment_to_variable(token);
  }
  std::optional<CExpression> given = expression();
  return given && discard(std::move(*given));
}

bool CFunctionReader::assignment_operator(std::optional<ComputeOp>& op) {
  if (cursor_.accept("=")) return true;
  const Token sign = cursor_.peek();
  if (sign.is("+=") || sign.is("-=")) {
    cursor_.next();
    op = sign.is("+=") ? ComputeOp::add : ComputeOp::sub;
    return true;
  }
  op = base::value_of(kCOperators, sign.text);
  if (op && *op < ComputeOp::eq && cursor_.peek_second().is("=")) {
    cursor_.next();
    if (cursor_.adjacent()) return cursor_.accept("=");
  }
  cursor_.expected("'=' or another assignment");
  return false;
}

bool CFunctionReader::assignment_to_variable(const Token& name) {
  Symbol* symbol = find(name);
  if (symbol == nullptr) return false;
  if (symbol->parameter) {
    cursor_.mistake(name.span,
                    fmt::format("{} is a pointer; write '*{}' for what it points to", describe(name), name.text));
    return false;
  }
  const RegisterId target = symbol->reg;
  const CType type = symbol->type;
  Compute change;
  change.left = target;
  const bool up = cursor_.peek().is("++");
  if (up || cursor_.peek().is("--")) {
    cursor_.next();
    change.op = up ? ComputeOp::add : ComputeOp::sub;
    change.right = Operand(integer(1));
  } else {
    std::optional<ComputeOp> op;
    if (!assignment_operator(op)) return false;
    std::optional<CExpression> given = expression();
    if (given && !op && type.is_bool && type.pointers == 0) given = truth(std::move(*given));
    if (!given) return false;
    if (!op) {
      given->span = {name.span.begin, cursor_.last_end()};
      return assign(target, std::move(*given));
    }
    std::optional<Operand> operand = value(std::move(*given));
    if (!operand) return false;
    change.op = *op;
    change.right = *operand;
  }
  if (type.pointers > 0) {
    cursor_.mistake(name.span,
                    fmt::format("{} is a pointer; write '{} = {} + ...'", describe(name), name.text, name.text));
    return false;
  }
  return assign(target, {change, std::nullopt, type, {name.span.begin, cursor_.last_end()}});
}

// *p = 1 or x[1] = 1
bool CFunctionReader::assignment_to_memory() {
  std::optional<CExpression> object = unary();
  if (!object) return false;
  const CType type = object->type;
  const auto* read = std::get_if<Load>(&object->pending);
  if (read == nullptr) {
    cursor_.mistake(object->span, "expected an object in memory");
    return false;
  }
  const Load load = *read;
  const base::Span span{start_, cursor_.last_end()};
  if (cursor_.peek().is(";")) return discard({load, std::nullopt, type, span});
  std::optional<ComputeOp> op;
  if (!assignment_operator(op)) return false;
  std::optional<Operand> old;
  if (op) old = value({load, std::nullopt, type, {start_, cursor_.last_end()}});
  std::optional<CExpression> given = expression();
  if (!given) return false;
  std::optional<Operand> stored = value(std::move(*given));
  if (!stored) return false;
  if (op) {
    Compute change;
    change.op = *op;
    change.left = *old;
    change.right = *stored;
    stored = value({change, std::nullopt, type, {start_, cursor_.last_end()}});
  }
  Store store;
  store.access = load.access;
  store.value = *stored;
  emit(store, {start_, cursor_.last_end()});
  return true;
}

}  // namespace weakspot::litmus

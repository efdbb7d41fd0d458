// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/c/c_function.h"

namespace weakspot::litmus {
namespace {

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

class CStatementReader {
 public:
  explicit CStatementReader(CFunction& function) : f_(function), cursor_(function.cursor) {}

  bool body();

 private:
  // The labels that break and continue of a loop lead to, and whether they are used.
  struct Loop {
    std::string after, next;
    bool uses_after = false, uses_next = false;
  };

  // Each reports its mistakes; false if the rest of the statement is not understood.
  bool statement();
  bool block();
  bool label(const Token& name);
  bool if_statement();
  bool while_statement();
  bool repeat(std::size_t head, std::size_t exit, const Comparison& test);
  bool do_statement();
  bool for_statement();
  bool jump_statement(const Token& keyword);
  bool simple_statement();  // an assignment or a call, without its ';'
  bool assignment_to_variable(const Token& name);
  bool assignment_to_memory();
  bool end_of_statement();
  void skip_statement();
  void statements_until_brace();
  bool at_condition();
  std::optional<Comparison> condition();  // in parentheses
  // The operator of an assignment: nullopt for `=`. False if there is none.
  bool assignment_operator(std::optional<ComputeOp>& op);

  CFunction& f_;
  Cursor& cursor_;
  std::vector<Loop> loops_;
  std::map<std::string, base::Span, std::less<>> labels_;
  std::vector<std::pair<std::string, base::Span>> gotos_;
  std::set<std::string, std::less<>> barrier_names_;
  std::optional<std::string> exit_;
};

// ---- the body ----

bool CStatementReader::body() {
  f_.body_begin = cursor_.position();
  statements_until_brace();
  const base::Span end = cursor_.peek().span;
  if (exit_) f_.place(*exit_, end);
  for (const auto& [label, span] : gotos_) {
    if (barrier_names_.contains(label)) {
      cursor_.mistake(span, fmt::format("'{}' names a barrier and cannot be the target of goto", label));
    } else if (!labels_.contains(label)) {
      cursor_.mistake(span, fmt::format("there is no label '{}' in this function", label));
    }
  }
  number_c_labels(f_.builder.test.threads[f_.thread.index]);
  return cursor_.peek().is("}") || cursor_.mistakes().full();
}

// Whether the condition comes next, which means that the closing brace is missing.
bool CStatementReader::at_condition() {
  const Token token = cursor_.peek().is("~") ? cursor_.peek_second() : cursor_.peek();
  return (token.is("exists") || token.is("forall")) && !f_.symbols.contains(token.text) &&
         !cursor_.peek_second().is(":");
}

void CStatementReader::statements_until_brace() {
  while (!cursor_.at_end() && !cursor_.peek().is("}") && !at_condition() && !cursor_.mistakes().full()) {
    const std::uint32_t begin = cursor_.position();
    const int depth = f_.nesting;
    const std::size_t blocks = f_.blocks.size();
    const std::size_t loops = loops_.size();
    if (statement()) continue;
    // Close what the failed statement had opened.
    f_.nesting = depth;
    loops_.resize(loops);
    while (f_.blocks.size() > blocks) {
      f_.close_block();
    }
    if (cursor_.at_end()) return;
    cursor_.seek(begin);
    do {
      skip_statement();
    } while (cursor_.accept("else"));
  }
}

// Skips to behind the ';' or the block that ends the statement.
void CStatementReader::skip_statement() {
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

bool CStatementReader::end_of_statement() { return cursor_.expect(";", "at the end of the statement"); }

bool CStatementReader::statement() {
  if (!f_.enter("the program")) return false;
  const Token token = cursor_.peek();
  f_.start = token.span.begin;
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
  } else if (starts_c_type(token, f_.face) || (token.kind == Token::Kind::word && !is_c_word(token.text, f_.face) &&
                                               cursor_.peek_second().kind == Token::Kind::word)) {
    good = read_c_declaration(f_) && end_of_statement();
  } else {
    good = simple_statement() && end_of_statement();
  }
  --f_.nesting;
  return good;
}

bool CStatementReader::block() {
  f_.blocks.emplace_back();
  statements_until_brace();
  f_.close_block();
  return cursor_.accept("}");  // if not, the function is not closed, which is reported once
}

bool CStatementReader::label(const Token& name) {
  cursor_.next();  // ':'
  if (std::optional<std::int64_t> id = barrier_number(name.text); id && is_barrier_call(cursor_.peek())) {
    f_.barrier_id = *id;
    barrier_names_.emplace(name.text);
    return statement();
  }
  if (is_c_word(name.text, f_.face)) {
    cursor_.mistake(name.span, fmt::format("{} cannot be a label", describe(name)));
  } else if (!labels_.emplace(name.text, name.span).second) {
    cursor_.mistake(name.span, fmt::format("label {} is defined twice in this function", describe(name)));
  } else {
    f_.place(std::string(name.text), name.span);
  }
  return cursor_.peek().is("}") || statement();
}

// ---- control flow ----

std::optional<Comparison> CStatementReader::condition() {
  if (!cursor_.expect("(", "and a condition")) return std::nullopt;
  std::optional<CExpression> given = read_c_expression(f_);
  if (!given || !cursor_.expect(")", "after the condition")) return std::nullopt;
  return f_.comparison_of(std::move(*given));
}

bool CStatementReader::if_statement() {
  const base::Span span{f_.start, cursor_.last_end()};
  std::optional<Comparison> test = condition();
  if (!test) return false;
  // `if (c) goto L;` is one conditional branch.
  if (cursor_.peek().is("goto")) {
    const Token keyword = cursor_.next();
    std::optional<Token> target = cursor_.word("a label after 'goto'");
    if (!target || !end_of_statement()) return false;
    if (!cursor_.peek().is("else")) {
      gotos_.emplace_back(target->text, target->span);
      f_.jump(std::string(target->text), test, span);
      return true;
    }
    cursor_.seek(keyword.span.begin);
  }
  const std::string otherwise = f_.fresh_label();
  f_.jump(otherwise, negated(*test), span);
  if (!statement()) return false;
  if (!cursor_.accept("else")) {
    f_.place(otherwise, span);
    return true;
  }
  const std::string after = f_.fresh_label();
  f_.jump(after, std::nullopt, span);
  f_.place(otherwise, span);
  if (!statement()) return false;
  f_.place(after, span);
  return true;
}

// Makes `do S while (c)` of `S; while (c) S`, which is how many locks wait. The executions are the same, and the judge
// sees that such a loop only waits: S writes what c reads. `head` is the label of the loop, `exit` the jump out of it,
// behind which the body ends the code. False if the loop is not of that form.
bool CStatementReader::repeat(std::size_t head, std::size_t exit, const Comparison& test) {
  std::vector<Instruction>& code = f_.builder.test.threads[f_.thread.index].instructions;
  const std::size_t size = code.size() - exit - 1;
  if (size == 0 || size > head) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (code[head - size + i].operation != code[exit + 1 + i].operation) return false;
  }
  for (std::size_t i = head - size; i < exit; ++i) {
    const bool jumps = std::holds_alternative<Branch>(code[i].operation);
    if (jumps || (i != head && std::holds_alternative<Label>(code[i].operation))) return false;
  }
  code.resize(exit + 1);
  const auto begin = code.begin() + static_cast<std::ptrdiff_t>(head);
  std::rotate(begin - static_cast<std::ptrdiff_t>(size), begin, begin + 1);
  code[exit].operation = Branch{std::get<Label>(code[head - size].operation).name, test};
  return true;
}

bool CStatementReader::while_statement() {
  const base::Span span{f_.start, cursor_.last_end()};
  const std::vector<Instruction>& code = f_.builder.test.threads[f_.thread.index].instructions;
  const std::size_t head = code.size();
  loops_.push_back({f_.fresh_label(), f_.fresh_label()});
  const Loop loop = loops_.back();
  f_.place(loop.next, span);
  std::optional<Comparison> test = condition();
  if (!test) return false;
  const std::size_t exit = code.size();
  f_.jump(loop.after, negated(*test), span);
  if (!statement()) return false;
  loops_.pop_back();
  if (repeat(head, exit, *test)) return true;
  f_.jump(loop.next, std::nullopt, span);
  f_.place(loop.after, span);
  return true;
}

bool CStatementReader::do_statement() {
  const base::Span span{f_.start, cursor_.last_end()};
  const std::string again = f_.fresh_label();
  loops_.push_back({f_.fresh_label(), f_.fresh_label()});
  f_.place(again, span);
  if (!statement()) return false;
  const Loop loop = loops_.back();
  loops_.pop_back();
  if (loop.uses_next) f_.place(loop.next, span);
  if (!cursor_.expect("while", "after the body of 'do'")) return false;
  std::optional<Comparison> test = condition();
  if (!test) return false;
  f_.jump(again, test, span);
  if (loop.uses_after) f_.place(loop.after, span);
  return end_of_statement();
}

// The step is read where it is made: after the body.
bool CStatementReader::for_statement() {
  const base::Span span{f_.start, cursor_.last_end()};
  if (!cursor_.expect("(", "after 'for'")) return false;
  f_.blocks.emplace_back();
  if (!cursor_.accept(";")) {
    if (!(starts_c_type(cursor_.peek(), f_.face) ? read_c_declaration(f_) : simple_statement()) ||
        !cursor_.expect(";", "after the first part of 'for'")) {
      return false;
    }
  }
  const std::string again = f_.fresh_label();
  loops_.push_back({f_.fresh_label(), f_.fresh_label()});
  const std::vector<Instruction>& code = f_.builder.test.threads[f_.thread.index].instructions;
  const std::size_t head = code.size();
  std::size_t exit = head;
  f_.place(again, span);
  std::optional<Comparison> test;
  if (!cursor_.accept(";")) {
    std::optional<CExpression> given = read_c_expression(f_);
    if (!given || !cursor_.expect(";", "after the condition of 'for'")) return false;
    test = f_.comparison_of(std::move(*given));
    if (!test) return false;
    exit = code.size();
    f_.jump(loops_.back().after, negated(*test), span);
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
  if (loop.uses_next) f_.place(loop.next, span);
  cursor_.seek(step);
  if (!cursor_.peek().is(")") && !simple_statement()) return false;
  if (!cursor_.expect(")", "after the last part of 'for'")) return false;
  cursor_.seek(after_body);
  if (!test || !repeat(head, exit, *test)) {
    f_.jump(again, std::nullopt, span);
    if (test || loop.uses_after) f_.place(loop.after, span);
  }
  f_.close_block();
  return true;
}

bool CStatementReader::jump_statement(const Token& keyword) {
  const base::Span span = keyword.span;
  if (keyword.is("goto")) {
    std::optional<Token> target = cursor_.word("a label after 'goto'");
    if (!target) return false;
    gotos_.emplace_back(target->text, target->span);
    f_.jump(std::string(target->text), std::nullopt, span);
  } else if (keyword.is("return")) {
    if (!exit_) exit_ = f_.fresh_label();
    if (!cursor_.peek().is(";")) {
      std::optional<CExpression> ignored = read_c_expression(f_);
      if (!ignored || !f_.discard(std::move(*ignored))) return false;
    }
    f_.jump(*exit_, std::nullopt, span);
  } else if (loops_.empty()) {
    cursor_.mistake(span, fmt::format("{} is not in a loop", describe(keyword)));
    return false;
  } else if (keyword.is("break")) {
    loops_.back().uses_after = true;
    f_.jump(loops_.back().after, std::nullopt, span);
  } else {
    loops_.back().uses_next = true;
    f_.jump(loops_.back().next, std::nullopt, span);
  }
  return end_of_statement();
}

// ---- simple statements ----

bool CStatementReader::simple_statement() {
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
  std::optional<CExpression> given = read_c_expression(f_);
  return given && f_.discard(std::move(*given));
}

bool CStatementReader::assignment_operator(std::optional<ComputeOp>& op) {
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

bool CStatementReader::assignment_to_variable(const Token& name) {
  CFunction::Symbol* symbol = f_.find(name);
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
    std::optional<CExpression> given = read_c_expression(f_);
    if (given && !op && type.is_bool && type.pointers == 0) given = f_.truth(std::move(*given));
    if (!given) return false;
    if (!op) {
      given->span = {name.span.begin, cursor_.last_end()};
      return f_.assign(target, std::move(*given));
    }
    std::optional<Operand> operand = f_.value(std::move(*given));
    if (!operand) return false;
    change.op = *op;
    change.right = *operand;
  }
  if (type.pointers > 0) {
    cursor_.mistake(name.span,
                    fmt::format("{} is a pointer; write '{} = {} + ...'", describe(name), name.text, name.text));
    return false;
  }
  return f_.assign(target, {change, std::nullopt, type, {name.span.begin, cursor_.last_end()}});
}

// *p = 1 or x[1] = 1
bool CStatementReader::assignment_to_memory() {
  std::optional<CExpression> object = read_c_unary(f_);
  if (!object) return false;
  const CType type = object->type;
  const auto* read = std::get_if<Load>(&object->pending);
  if (read == nullptr) {
    cursor_.mistake(object->span, "expected an object in memory");
    return false;
  }
  const Load load = *read;
  const base::Span span{f_.start, cursor_.last_end()};
  if (cursor_.peek().is(";")) return f_.discard({load, std::nullopt, type, span});
  std::optional<ComputeOp> op;
  if (!assignment_operator(op)) return false;
  std::optional<Operand> old;
  if (op) old = f_.value({load, std::nullopt, type, {f_.start, cursor_.last_end()}});
  std::optional<CExpression> given = read_c_expression(f_);
  if (!given) return false;
  std::optional<Operand> stored = f_.value(std::move(*given));
  if (!stored) return false;
  if (op) {
    Compute change;
    change.op = *op;
    change.left = *old;
    change.right = *stored;
    stored = f_.value({change, std::nullopt, type, {f_.start, cursor_.last_end()}});
  }
  Store store;
  store.access = load.access;
  store.value = *stored;
  f_.emit(store, {f_.start, cursor_.last_end()});
  return true;
}

}  // namespace

bool read_c_body(CFunction& function) { return CStatementReader(function).body(); }

}  // namespace weakspot::litmus

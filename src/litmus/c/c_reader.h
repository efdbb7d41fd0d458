// SPDX-License-Identifier: MIT
// Reads one function of a C-like test into the instructions of one thread. The methods are defined where their
// subject is: read_c_declaration.cpp, read_c_statement.cpp, read_c_expression.cpp, read_c_object.cpp and
// read_c_call.cpp.
//
// There is no syntax tree. An expression is read into the one operation that is still to be done for its value
// (CExpression::pending); whatever that operation needs has been emitted. So `int r = *x` becomes one load into r, and
// in `*x + 1` the load goes into a temporary because something follows it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "litmus/c/c_language.h"
#include "litmus/text/builder.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

struct LinuxAccess;

struct CExpression {
  // monostate: no value, a call of a void function. The targets of the operations are not chosen yet.
  std::variant<std::monostate, Operand, Address, Load, Rmw, Compute, Select> pending;
  // A compare-exchange whose expected value is in memory: the store to make after a failure.
  std::optional<Access> write_back;
  CType type;
  base::Span span;

  bool reads_memory() const { return std::holds_alternative<Load>(pending) || std::holds_alternative<Rmw>(pending); }
};

class CFunctionReader {
 public:
  CFunctionReader(Cursor& cursor, TestBuilder& builder, CFace face, ThreadId thread);

  // `atomic_int* x, int* y)`, the opening parenthesis taken. False if the list has no end.
  bool parameters();
  // The statements and the closing brace, the opening one taken. False if there is no end.
  bool body();

 private:
  struct Symbol {
    CType type;
    RegisterId reg;
    bool parameter = false;
    bool open = true;  // whether its block is still open
  };
  // Where break and continue of a loop lead, and whether any is used.
  struct Loop {
    std::string after, next;
    bool uses_after = false, uses_next = false;
  };

  // ---- statements: each reports its mistakes; false if the rest of the statement is not understood ----
  bool statement();
  bool block();
  bool label(const Token& name);
  bool if_statement();
  bool while_statement();
  bool do_statement();
  bool for_statement();
  bool jump_statement(const Token& keyword);
  bool declaration();
  bool simple_statement();  // an assignment or a call, without its ';'
  bool assignment_to_variable(const Token& name);
  bool assignment_to_memory();
  bool end_of_statement();
  void skip_statement();
  bool enter(std::string_view what);  // counts nesting; `what` for the mistake
  void statements_until_brace();
  bool at_condition();

  std::optional<Comparison> condition();  // in parentheses
  std::optional<Comparison> comparison_of(CExpression expression);
  std::string fresh_label();
  void place(const std::string& label, base::Span span);
  void jump(const std::string& label, std::optional<Comparison> condition, base::Span span);
  // The operator of an assignment: nullopt for `=`. False if there is none.
  bool assignment_operator(std::optional<ComputeOp>& op);

  void parameter();
  void declare(const Token& name, const CType& type);
  Symbol* find(const Token& name);

  // ---- expressions ----
  std::optional<CExpression> expression();
  std::optional<CExpression> choice(CExpression condition);  // after its '?'
  std::optional<CExpression> binary(int weakest);
  std::optional<CExpression> unary();
  std::optional<CExpression> primary();
  std::optional<CExpression> number();
  std::optional<CExpression> variable();
  std::optional<CExpression> element(CExpression pointer);  // before its '['
  std::optional<CExpression> address_of_object(const Token& sign);
  std::optional<CExpression> logical_not();
  std::optional<CExpression> cast(const CType& type, CExpression expression);
  std::optional<CExpression> logical(ComputeOp op, CExpression left, int strength);
  std::optional<CExpression> arithmetic(ComputeOp op, CExpression left, int strength);
  std::optional<CExpression> pointer_sum(CExpression pointer, CExpression index, bool minus);
  std::optional<CExpression> truth(CExpression expression);  // 0 or 1

  // The expression's value, emitted.
  std::optional<Operand> value(CExpression expression);
  // Emits it into a register, or only for its effect.
  bool assign(RegisterId target, CExpression expression);
  bool discard(CExpression expression);
  void emit_compare_exchange(CExpression expression, std::optional<RegisterId> success);
  // The Linux kernel's tests keep pointers in plain integers.
  void take_as_pointer(CExpression& expression) const;
  std::optional<Address> address(CExpression expression);
  Access plain_access(const Address& address, const CType& pointer) const;
  Load load_from(const Address& address, const CType& pointer) const;
  // For the first temporary: few functions need one.
  void collect_words();
  RegisterId temporary(Type type);
  Instruction& emit(Operation operation, base::Span span);

  // ---- calls ----
  std::optional<CExpression> call();
  std::optional<CExpression> atomic_load(bool is_explicit);
  std::optional<CExpression> atomic_store(bool is_explicit);
  std::optional<CExpression> atomic_fetch(RmwOp op, bool is_explicit);
  std::optional<CExpression> compare_exchange(bool weak, bool is_explicit);
  std::optional<CExpression> fence(std::string_view name);
  std::optional<CExpression> barrier(std::string_view name);
  std::optional<CExpression> unknown_function(const Token& name);
  std::optional<CExpression> linux_call(const Token& name);
  std::optional<CExpression> linux_access(const Token& name, const LinuxAccess& word);
  std::optional<CExpression> linux_lock(std::string_view name);
  std::optional<CExpression> linux_exchange(bool compares, Order order);
  CExpression linux_rmw(RmwOp op, const Access& access, const Operand& operand, const std::optional<Operand>& expected);
  std::optional<Access> atomic_access();  // the pointer argument; pointee_ is what it points to
  std::optional<Operand> argument();      // a comma and a value
  template <typename Enum, std::size_t N>
  std::optional<Enum> constant(const base::Named<Enum> (&names)[N], std::string_view what);
  std::optional<Order> order();
  // The orders and the scope that end an explicit call, and the parenthesis.
  bool orders_and_scope(bool is_explicit, Access& access, Order* failure);
  std::optional<Scope> scope();
  std::optional<Spaces> flags();
  bool only_opencl(const Token& word, std::string_view what);

  Cursor& cursor_;
  TestBuilder& builder_;
  CFace face_;
  ThreadId thread_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::vector<std::vector<std::string>> blocks_;  // the names each open block declares
  std::set<std::string, std::less<>> missed_;     // names whose declaration has a mistake
  std::vector<Loop> loops_;
  std::uint32_t body_begin_ = 0;
  std::vector<std::string_view> words_;  // of the function that look like temporaries, which avoid them
  std::map<std::string, base::Span, std::less<>> labels_;
  std::vector<std::pair<std::string, base::Span>> gotos_;
  std::set<std::string, std::less<>> barrier_names_;
  std::int64_t barrier_id_ = 0;  // the id that the label of the next barrier gives
  std::optional<std::string> exit_;
  CType pointee_;
  std::uint32_t start_ = 0;  // of the statement, for the spans of what it becomes
  std::size_t next_temporary_ = 0;
  std::size_t next_label_ = 0;
  int depth_ = 0;
};

}  // namespace weakspot::litmus

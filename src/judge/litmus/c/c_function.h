// SPDX-License-Identifier: MIT
// One function of a C-like test while it is read into the instructions of one thread, and the readers of its parts.
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

struct CExpression {
  // monostate: no value, a call of a void function. The targets of the operations are not chosen yet.
  std::variant<std::monostate, Operand, Address, Load, Rmw, Compute, Select> pending;
  // A compare-exchange whose expected value is in memory: the store to make after a failure.
  std::optional<Access> write_back;
  CType type;
  base::Span span;

  bool reads_memory() const { return std::holds_alternative<Load>(pending) || std::holds_alternative<Rmw>(pending); }
};

// The names of the function, and the translation of its expressions into instructions.
struct CFunction {
  struct Symbol {
    CType type;
    RegisterId reg;
    bool parameter = false;
    bool open = true;  // whether its block is still open
  };

  CFunction(Cursor& text, TestBuilder& into, CFace kind, ThreadId number);

  bool enter(std::string_view what);  // counts nesting; `what` for the mistake

  void declare(const Token& name, const CType& type);
  Symbol* find(const Token& name);
  void close_block();

  Instruction& emit(Operation operation, base::Span span);
  RegisterId temporary(Type type);
  std::string fresh_label();
  void place(const std::string& label, base::Span span);
  void jump(const std::string& label, std::optional<Comparison> condition, base::Span span);

  // The expression's value, emitted.
  std::optional<Operand> value(CExpression expression);
  // Emits the expression into a register, or only for its effect.
  bool assign(RegisterId target, CExpression expression);
  bool discard(CExpression expression);
  std::optional<CExpression> truth(CExpression expression);  // 0 or 1
  std::optional<Comparison> comparison_of(CExpression expression);
  // The Linux kernel's tests keep pointers in plain integers.
  void take_as_pointer(CExpression& expression) const;
  std::optional<Address> address(CExpression expression);
  std::optional<CExpression> pointer_sum(CExpression pointer, CExpression index, bool minus);
  Access plain_access(const Address& address, const CType& pointer) const;
  Load load_from(const Address& address, const CType& pointer) const;

  Cursor& cursor;
  TestBuilder& builder;
  CFace face;
  ThreadId thread;
  std::map<std::string, Symbol, std::less<>> symbols;
  std::vector<std::vector<std::string>> blocks;  // the names each open block declares
  std::set<std::string, std::less<>> missed;     // names whose declaration has a mistake
  std::uint32_t body_begin = 0;
  std::uint32_t start = 0;      // the start of the statement, for the spans of its instructions
  std::int64_t barrier_id = 0;  // the id that the label of the next barrier gives
  CType pointee;                // the pointee of the pointer that read_c_atomic_access() read last
  int nesting = 0;

 private:
  // Called for the first temporary only, since few functions need one.
  void collect_words();
  void emit_compare_exchange(CExpression expression, std::optional<RegisterId> success);

  std::vector<std::string_view> words;  // the function's own words like `__t0`, which temporaries avoid
  std::size_t next_temporary = 0;
  std::size_t next_label = 0;
};

// read_c_declaration.cpp
// `atomic_int* x, int* y)`, the opening parenthesis taken. False if the list has no end.
bool read_c_parameters(CFunction& f);
// A declaration without its ';'. False if the rest of it is not understood.
bool read_c_declaration(CFunction& f);

// read_c_statement.cpp
// The statements and the closing brace, the opening one taken. False if there is no end.
bool read_c_body(CFunction& f);

// read_c_expression.cpp
std::optional<CExpression> read_c_expression(CFunction& f);
std::optional<CExpression> read_c_unary(CFunction& f);

// read_c_object.cpp
std::optional<CExpression> read_c_element(CFunction& f, CExpression pointer);  // before its '['
std::optional<CExpression> read_c_address_of_object(CFunction& f, const Token& sign);

// read_c_call.cpp and read_linux_call.cpp
std::optional<CExpression> read_c_call(CFunction& f);
std::optional<CExpression> read_linux_call(CFunction& f, const Token& name);
std::optional<Access> read_c_atomic_access(CFunction& f);  // the pointer argument
std::optional<Operand> read_c_argument(CFunction& f);      // a comma and a value

}  // namespace weakspot::litmus

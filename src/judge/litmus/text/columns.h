// SPDX-License-Identifier: MIT
// The shape that the canonical form and all herd-like texts share:
//
//   ARCH name
//   "comment" lines and Key=value lines
//   { initial state }
//   columns separated by '|', rows ended by ';'        (C-like dialects have functions here)
//   scope tree, memory map, filter, locations
//   exists / ~exists / forall proposition
//
// A dialect supplies the rest: its initial-state items, its instructions, its names of scopes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "litmus/test.h"
#include "litmus/text/builder.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

// The most threads a test can have.
inline constexpr std::size_t kMostThreads = 1024;

// The part of a reader that depends on the dialect. A reader object lives for one test.
class ColumnDialect {
 public:
  virtual ~ColumnDialect() = default;

  virtual Arch arch() const = 0;
  // One item of the initial state; the cursor covers it, without its ';'. Reports its own mistakes.
  virtual void init_item(Cursor& cursor, TestBuilder& builder);
  // Reads the dialect's own text between the initial state and the program.
  virtual void before_program(Cursor& cursor, TestBuilder& builder);
  // One cell of the table, never empty; appends instructions to the thread. Must consume the whole cell or report.
  virtual void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) = 0;
  // The name a register goes by (AArch64: w0 -> X0), or nothing if the dialect has no such register.
  virtual std::optional<std::string> register_name(std::string_view text) const { return std::string(text); }
  // The level of the scope tree that a word names, in `P0@cta 0` and in scope trees.
  virtual std::optional<Scope> level_named(std::string_view word) const;
  // A word in a placement (`P0@sg 0, wg 0, ssw 1`) that is not a level; true if it was understood.
  virtual bool placement_word(const Token& word, Cursor& cursor, TestBuilder& builder, ThreadId thread);
  // Whether a text may end without a condition; every final state then satisfies it.
  virtual bool may_lack_condition() const { return false; }
  // Whether a condition may name any register of the dialect, used or not: true for assembly, where registers exist
  // without a declaration.
  virtual bool has_all_registers() const { return false; }
  // Called after the program and the declarations behind it, before the condition: the place to infer types.
  virtual void program_done(TestBuilder& builder, Mistakes& mistakes);
  // Called after the condition, unless there were mistakes.
  virtual void condition_done(TestBuilder& builder, Mistakes& mistakes);
};

// Reads one test; the cursor stands after the architecture word. Mistakes are reported to the cursor's list and give
// nullopt. Afterwards the cursor stands behind the condition.
std::optional<LitmusTest> read_columns(Cursor& cursor, ColumnDialect& dialect);

// ---- the parts, for dialects whose programs are not columns ----

// Name, comment strings and Key=value lines. `Expect=sc forbidden, tso allowed` gives expectations, `Arch=ptx` the
// architecture; other keys become info.
void read_header(Cursor& cursor, TestBuilder& builder);
// `{ item; item; ... }`; calls `item` with a cursor over each non-empty item. An absent block is fine if `optional`.
void read_init(Cursor& cursor, bool optional, const std::function<void(Cursor&)>& item);
// The common initial-state items: `x=1`, `[x]=1`, `int x=1`, `x=&y`, `x=y` (an address), `0:r0=1`, `0:r0=x`,
// `uint64_t 0:X0=1`, `int *p=x`, `int x[2]={0,1}`, `y @ texture aliases x`. `register_name` as in ColumnDialect.
void read_common_init_item(Cursor& cursor, TestBuilder& builder,
                           const std::function<std::optional<std::string>(std::string_view)>& register_name);
// Reads `[1]` after the name of an array and returns the index; a mistake if the array does not have the element.
std::optional<std::uint32_t> read_element(Cursor& cursor, const Location& array, const Token& name);
// Reads the address of a location or of an element of an array, with an optional `+ bytes`.
std::optional<Value> read_address(Cursor& cursor, TestBuilder& builder);
// Reads an initial value, after '=': a number, or a location or element with or without '&', and `+ bytes`.
std::optional<Value> read_initial_value(Cursor& cursor, TestBuilder& builder);
// Reads everything after the program, the condition included.
void read_tail(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect);
// Checks, places and normalises; appends mistakes.
std::optional<LitmusTest> finish_test(TestBuilder& builder, Mistakes& mistakes, std::size_t mistakes_before);
// A scope tree, from its keyword on.
void read_scope_tree(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect);
// `@cta 0, gpu 0` after a thread's name, if present.
void read_placement(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect, ThreadId thread);

// Whether the text can name a test (one word, of anything but blanks), or a model in an expectation.
bool is_test_name(std::string_view text);
bool is_model_name(std::string_view text);

// A thread's number: "P0", "T0" or "0". nullopt without a mistake if the token is none of these.
std::optional<ThreadId> thread_number(const Token& token);
// C's and stdint's names of integer types, with `atomic_` and without: int, uint64_t, atomic_int, char ...
std::optional<Type> c_type_named(std::string_view name);

// Sets the type of each location without a given type to the widest type of the accesses that name it directly.
void infer_location_types(TestBuilder& builder);

// ---- reading propositions ----

struct NameLookup {
  TestBuilder& builder;
  std::function<std::optional<std::string>(std::string_view)> register_name;
  bool all_registers = false;  // see ColumnDialect::has_all_registers()

  // The register that a condition names in a thread that exists.
  std::optional<RegisterId> find(ThreadId thread, std::string_view name) const;
};
std::optional<Proposition> read_proposition(Cursor& cursor, const NameLookup& names);

}  // namespace weakspot::litmus

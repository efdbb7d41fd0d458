// SPDX-License-Identifier: MIT
// The syntax tree of a cat file. All expressions have one node type: the walkers (resolve, interpret) each have one
// switch over `kind`, and a tree of variants would take more code.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "model/check.h"
#include "model/properties.h"

namespace weakspot::model::cat {

// A place in one of the files a model is made of.
struct Place {
  const base::Source* source = nullptr;
  base::Span span;
};

// A name as written; the walkers use the Reference it was resolved to.
struct Name {
  std::string text;
  base::Span span;
};

struct Expr;
struct Statement;
using ExprPtr = std::unique_ptr<Expr>;
using Statements = std::vector<Statement>;

// `x`, `_`, or `(x, y, ...)` on the left of a definition or an arrow. Empty names are `_`.
struct Pattern {
  std::vector<Name> names;
  bool tuple = false;  // written as a tuple: takes a tuple apart even if it has one name
  base::Span span;
};

struct Binding {
  Pattern pattern;
  ExprPtr value;
};

// The definition a variable refers to, filled in by resolve().
struct Reference {
  enum class Kind : std::uint8_t { unresolved, unbound, predefined, global, local };
  Kind kind = Kind::unresolved;
  std::uint32_t index = 0;  // the predefined name, the global slot, or the number of local definitions outwards
};

struct Clause {
  std::optional<Name> tag;  // none: `_`
  ExprPtr body;
};

// variant "x", not, &&, ||.
struct VariantCondition {
  enum class Kind : std::uint8_t { name, negation, conjunction, disjunction };
  Kind kind = Kind::name;
  std::string name;
  std::vector<VariantCondition> operands;
};

enum class ExprKind : std::uint8_t {
  variable,        // name, reference
  empty_relation,  // 0
  universe,        // _
  tag,             // 'name
  explicit_set,    // { operands }
  tuple,           // operands, separated by commas
  application,     // operands[0] operands[1]
  function,        // fun pattern -> operands[0]
  let_in,          // let bindings in operands[0]
  let_rec_in,
  try_with,     // try operands[0] with operands[1]
  if_variant,   // if condition then operands[0] else operands[1]
  if_equal,     // if operands[2] = operands[3] then operands[0] else operands[1]
  if_subset,    // if operands[2] subset operands[3] ...
  if_member,    // if operands[2] in operands[3] ...
  match_tag,    // match operands[0] with clauses end
  match_set,    // match operands[0] with {} -> operands[1] || [before |] element ++ rest -> operands[2] end
  identity_on,  // [operands[0]]
  closure,      // r+
  star,         // r*
  optional,     // r?
  inverse,      // r^-1
  complement,   // ~r
  unite,        // operands, two or more
  sequence,
  intersect,
  subtract,
  product,
  add,  // element ++ set
};

struct Expr {
  ExprKind kind = ExprKind::empty_relation;
  base::Span span;
  std::string name;  // variable, tag; for functions the name they were defined with
  Reference reference;
  std::vector<ExprPtr> operands;
  std::vector<Binding> bindings;  // let_in, let_rec_in
  Pattern pattern;                // function; match_set: element, rest, and before if there are three
  std::vector<Clause> clauses;    // match_tag
  VariantCondition condition;     // if_variant
  const base::Source* source = nullptr;

  Place place() const { return {source, span}; }
};

enum class StatementKind : std::uint8_t {
  let,
  let_rec,
  check,  // [flag | undefined_unless | assert] [~] test expr [as name]
  show,   // show names, or show expr as name
  unshow,
  include,
  procedure,
  call,
  for_all,       // forall x in expr do body end
  with_from,     // with x from expr
  if_variant,    // if condition body else otherwise end
  match_tag,     // match expr with 'tag -> body || ... end
  enumeration,   // enum name = 'a || 'b
  instructions,  // instructions R[{...}], default R[...]
  debug,
};

enum class CheckRole : std::uint8_t { require, flag, undefined_unless, assertion };

struct TagCase {
  std::optional<Name> tag;  // none: `_`
  Statements body;
};

struct Statement {
  StatementKind kind = StatementKind::let;
  base::Span span;
  const base::Source* source = nullptr;
  std::string words;              // let, check: the comment `(** ... *)` before it, for explanations
  std::vector<Binding> bindings;  // let, let_rec
  ExprPtr expr;                   // check, show, call (argument), for_all, with_from, match_tag
  std::optional<Name> name;       // as name; show ... as name; procedure, call, with, forall, enum, instructions
  std::optional<Name> as;         // call ... as name
  std::vector<Name> names;        // unshow; tags of an enumeration
  std::vector<ExprPtr> shown;     // show a, b
  std::string path;               // include
  Pattern pattern;                // procedure
  bool recursive = false;         // procedure rec
  Statements body;
  Statements otherwise;
  std::vector<TagCase> cases;  // match_tag
  VariantCondition condition;  // if_variant
  Check::Kind test = Check::Kind::acyclic;
  CheckRole role = CheckRole::require;
  bool negated = false;
  // Filled in by resolve(): the first global slot of the names bound here, if they are global; what is called.
  std::optional<std::uint32_t> slot;
  Reference procedure;

  Place place() const { return {source, span}; }
};

// One file, read.
struct File {
  std::string header_arch;  // the word before the name, as in `RISCV "..."`; often absent
  std::string header_name;
  std::string first_comment;
  ModelProperties properties;
  bool computes_dependencies = false;  // `catdep`
  Statements statements;
};

}  // namespace weakspot::model::cat

// SPDX-License-Identifier: MIT
#include "model/cat/cat_resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/cat/cat_library.h"
#include "model/cat/cat_parser.h"
#include "model/cat/predefined.h"

namespace weakspot::model::cat {

bool holds(const VariantCondition& condition, const std::vector<std::string>& variants) {
  switch (condition.kind) {
    case VariantCondition::Kind::name:
      return std::find(variants.begin(), variants.end(), condition.name) != variants.end();
    case VariantCondition::Kind::negation:
      return !holds(condition.operands[0], variants);
    case VariantCondition::Kind::conjunction:
      return holds(condition.operands[0], variants) && holds(condition.operands[1], variants);
    case VariantCondition::Kind::disjunction:
      return holds(condition.operands[0], variants) || holds(condition.operands[1], variants);
  }
  return false;
}

namespace {

constexpr int kMaxIncludeDepth = 30;
constexpr std::size_t kMaxFiles = 200;

class Resolver {
 public:
  Resolver(const IncludeLoader& include, const std::vector<std::string>& variants)
      : include_(include), variants_(variants) {}

  base::Result<Resolved> run(const base::Source& main) {
    in_library_ = true;
    read(library_source("stdlib.cat"), 0);
    in_library_ = false;
    main_ = main.name();
    const std::size_t index = read(main, 0);
    if (!mistakes_.empty()) return std::move(mistakes_);
    const File& file = *result_.files[index];
    if (file.statements.empty()) return base::error_at(main, {}, "this file is not a model: it has no statements");
    result_.header_arch = file.header_arch;
    result_.header_name = file.header_name;
    result_.first_comment = file.first_comment;
    for (Expr* node : of_riscv_) {
      if (node->name == "X" ? names_amo_ : names_fences_) {
        node->reference.index = *find_predefined(node->name == "X" ? "older-X" : node->name + "-or-AMO");
      }
    }
    return std::move(result_);
  }

 private:
  std::size_t read(base::Source text, int depth) {
    result_.sources.push_back(std::make_unique<base::Source>(std::move(text)));
    const base::Source& source = *result_.sources.back();
    result_.files.push_back(std::make_unique<File>(parse(source, mistakes_)));
    const std::size_t index = result_.files.size() - 1;
    File& file = *result_.files.back();
    result_.computes_dependencies = result_.computes_dependencies || file.computes_dependencies;
    result_.properties.add(file.properties);
    if (mistakes_.empty()) top(file.statements, depth);
    return index;
  }

  void mistake(const Statement& statement, std::string message) {
    mistakes_.push_back(base::error_at(*statement.source, statement.span, std::move(message)));
  }

  // ---- recursion ----

  // A least fixpoint exists only if the definitions grow with their own names.
  void grows(const std::vector<Binding>& bindings) {
    std::set<std::string> names;
    for (const Name& name : names_of(bindings)) names.insert(name.text);
    for (const Binding& binding : bindings) {
      if (binding.value->kind != ExprKind::function) grows(*binding.value, names, false);
    }
  }

  // Does not look into function calls, nor for local names that hide a recursive one.
  void grows(const Expr& expr, const std::set<std::string>& names, bool shrinks) {
    if (expr.kind == ExprKind::variable && shrinks && names.contains(expr.name)) {
      mistakes_.push_back(base::error_at(
          *expr.source, expr.span,
          fmt::format("'{}' is negated in its own definition; expected no '~' or '\\' before it", expr.name)));
      return;
    }
    if (expr.kind == ExprKind::application || expr.kind == ExprKind::function || !expr.bindings.empty()) return;
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      const bool turns = expr.kind == ExprKind::complement || (expr.kind == ExprKind::subtract && i > 0);
      if (expr.operands[i]) grows(*expr.operands[i], names, shrinks != turns);
    }
  }

  // ---- statements at the top of a file: their names are global ----

  void top(Statements& statements, int depth) {
    for (Statement& statement : statements) {
      if (!mistakes_.empty()) return;
      switch (statement.kind) {
        case StatementKind::include:
          include(statement, depth);
          break;
        case StatementKind::if_variant:
          top(holds(statement.condition, variants_) ? statement.body : statement.otherwise, depth);
          break;
        case StatementKind::let:
          if (defines_dependency(statement)) break;
          for (Binding& binding : statement.bindings) expr(*binding.value);
          declare(statement, names_of(statement.bindings));
          result_.statements.push_back(&statement);
          break;
        case StatementKind::let_rec:
          declare(statement, names_of(statement.bindings));
          for (Binding& binding : statement.bindings) expr(*binding.value);
          grows(statement.bindings);
          result_.statements.push_back(&statement);
          break;
        case StatementKind::procedure:
          if (statement.recursive) declare(statement, {*statement.name});
          procedure(statement);
          if (!statement.recursive) declare(statement, {*statement.name});
          result_.statements.push_back(&statement);
          break;
        case StatementKind::with_from:
          expr(*statement.expr);
          declare(statement, {*statement.name});
          result_.statements.push_back(&statement);
          break;
        case StatementKind::enumeration:
          declare(statement, {*statement.name});
          result_.statements.push_back(&statement);
          break;
        default:
          local(statement);
          result_.statements.push_back(&statement);
      }
    }
  }

  // A model with `catdep` computes dependencies from register events, which our frames do not have. It gets the
  // dependencies of the frames instead.
  bool defines_dependency(const Statement& statement) const {
    if (!result_.computes_dependencies || in_library_ || statement.bindings.size() != 1) return false;
    const Pattern& pattern = statement.bindings.front().pattern;
    if (pattern.tuple || pattern.names.size() != 1) return false;
    const std::string& name = pattern.names.front().text;
    return name == "addr" || name == "data" || name == "ctrl" || name == "pick-addr-dep" || name == "pick-data-dep" ||
           name == "pick-ctrl-dep" || name == "pick-basic-dep";
  }

  void include(const Statement& statement, int depth) {
    if (depth == kMaxIncludeDepth || result_.files.size() == kMaxFiles) {
      return mistake(statement, "files include each other too deeply");
    }
    // Never read from a file: every model starts with the standard library, and cross.cat defines built-in functions.
    if (statement.path == "stdlib.cat" || statement.path == "cross.cat" || statement.path == "ncross.cat") return;
    if (!included_.insert(statement.path).second) return;
    base::Result<base::Source> found = base::error(fmt::format("there is no file '{}' to include", statement.path));
    if (include_) found = include_(statement.path);
    if (found) {
      if (found->name() == main_) return;  // the model includes itself
      read(std::move(*found), depth + 1);
    } else if (has_library_file(statement.path)) {
      read(library_source(statement.path), depth + 1);
    } else {
      mistake(statement, found.errors().front().message);
    }
  }

  static std::vector<Name> names_of(const std::vector<Binding>& bindings) {
    std::vector<Name> names;
    for (const Binding& binding : bindings) {
      names.insert(names.end(), binding.pattern.names.begin(), binding.pattern.names.end());
    }
    return names;
  }

  void declare(Statement& statement, const std::vector<Name>& names) {
    statement.slot = static_cast<std::uint32_t>(result_.globals.size());
    for (const Name& name : names) {
      if (!name.text.empty()) globals_[name.text] = static_cast<std::uint32_t>(result_.globals.size());
      result_.globals.push_back({name.text, {statement.source, name.span}, in_library_, statement.words});
    }
  }

  // ---- statements inside others: their names are local ----

  void body(Statements& statements) {
    const std::size_t outside = locals_.size();
    for (Statement& statement : statements) local(statement);
    locals_.resize(outside);
  }

  void local(Statement& statement) {
    switch (statement.kind) {
      case StatementKind::include:
        return mistake(statement, "'include' can only stand at the top of a file");
      case StatementKind::enumeration:
        return mistake(statement, "'enum' can only stand at the top of a file");
      case StatementKind::let:
        for (Binding& binding : statement.bindings) expr(*binding.value);
        push(names_of(statement.bindings));
        return;
      case StatementKind::let_rec:
        push(names_of(statement.bindings));
        for (Binding& binding : statement.bindings) expr(*binding.value);
        return;
      case StatementKind::with_from:
        expr(*statement.expr);
        push({*statement.name});
        return;
      case StatementKind::procedure:
        if (statement.recursive) push({*statement.name});
        procedure(statement);
        if (!statement.recursive) push({*statement.name});
        return;
      case StatementKind::call:
        statement.procedure = find(statement.name->text);
        expr(*statement.expr);
        return;
      case StatementKind::for_all: {
        expr(*statement.expr);
        const std::size_t outside = locals_.size();
        push({*statement.name});
        body(statement.body);
        locals_.resize(outside);
        return;
      }
      case StatementKind::if_variant:
        // The names of the branch taken stay, as at the top of a file.
        for (Statement& inner : holds(statement.condition, variants_) ? statement.body : statement.otherwise) {
          local(inner);
        }
        return;
      case StatementKind::match_tag:
        expr(*statement.expr);
        for (TagCase& tag_case : statement.cases) body(tag_case.body);
        return;
      case StatementKind::check:
      case StatementKind::debug:
        expr(*statement.expr);
        return;
      case StatementKind::show:
        for (ExprPtr& shown : statement.shown) expr(*shown);
        return;
      case StatementKind::unshow:
      case StatementKind::instructions:
        return;
    }
  }

  void procedure(Statement& statement) {
    const std::size_t outside = locals_.size();
    push(statement.pattern.names);
    body(statement.body);
    locals_.resize(outside);
  }

  // ---- expressions ----

  void push(const std::vector<Name>& names) {
    for (const Name& name : names) locals_.push_back(name.text);
  }

  Reference find(std::string_view name) const {
    for (std::size_t i = locals_.size(); i-- > 0;) {
      if (locals_[i] == name) {
        return {Reference::Kind::local, static_cast<std::uint32_t>(locals_.size() - 1 - i)};
      }
    }
    if (const auto at = globals_.find(std::string(name)); at != globals_.end()) {
      return {Reference::Kind::global, at->second};
    }
    if (const auto index = find_predefined(name)) return {Reference::Kind::predefined, *index};
    return {Reference::Kind::unbound, 0};
  }

  void note(Expr& node) {
    names_amo_ = names_amo_ || node.name == "AMO";
    names_fences_ = names_fences_ || node.name.starts_with("Fence.");
    if (node.name == "R" || node.name == "W" || node.name == "X") of_riscv_.push_back(&node);
  }

  void expr(Expr& node) {
    const std::size_t outside = locals_.size();
    switch (node.kind) {
      case ExprKind::variable:
        node.reference = find(node.name);
        if (node.reference.kind == Reference::Kind::predefined && !in_library_) note(node);
        return;
      case ExprKind::function:
        push(node.pattern.names);
        expr(*node.operands[0]);
        break;
      case ExprKind::let_in:
        for (Binding& binding : node.bindings) expr(*binding.value);
        push(names_of(node.bindings));
        expr(*node.operands[0]);
        break;
      case ExprKind::let_rec_in:
        push(names_of(node.bindings));
        for (Binding& binding : node.bindings) expr(*binding.value);
        expr(*node.operands[0]);
        break;
      case ExprKind::match_set:
        expr(*node.operands[0]);
        expr(*node.operands[1]);
        push(node.pattern.names);
        expr(*node.operands[2]);
        break;
      case ExprKind::match_tag:
        expr(*node.operands[0]);
        for (Clause& clause : node.clauses) expr(*clause.body);
        break;
      default:
        for (ExprPtr& operand : node.operands) expr(*operand);
    }
    locals_.resize(outside);
  }

  const IncludeLoader& include_;
  const std::vector<std::string>& variants_;
  Resolved result_;
  base::Diagnostics mistakes_;
  std::set<std::string> included_;
  std::unordered_map<std::string, std::uint32_t> globals_;
  std::vector<std::string> locals_;  // innermost last
  std::string main_;                 // the model's own file
  std::vector<Expr*> of_riscv_;      // predefined names with another meaning in models of RISC-V: see "older-X"
  bool names_amo_ = false, names_fences_ = false;
  bool in_library_ = false;
};

}  // namespace

base::Result<Resolved> resolve(const base::Source& source, const IncludeLoader& include,
                               const std::vector<std::string>& variants) {
  return Resolver(include, variants).run(source);
}

}  // namespace weakspot::model::cat

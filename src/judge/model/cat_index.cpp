// SPDX-License-Identifier: MIT
#include "model/cat_index.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/sort.h"
#include "base/source.h"
#include "model/cat/cat_ast.h"
#include "model/cat/cat_lexer.h"
#include "model/cat/cat_library.h"
#include "model/cat/cat_parser.h"
#include "model/cat/predefined.h"

namespace weakspot::model {
namespace {

constexpr int kDeepestInclude = 30;
constexpr std::size_t kMostIncluded = 200;

// Scopes as cat_resolve.cpp has them, for trees that may lack parts: after a mistake expressions and names are missing.
// Both branches of a condition on variants are looked at.
class Indexer {
 public:
  explicit Indexer(const IncludeLoader& include) : include_(include) {}

  CatIndex run(const base::Source& main) {
    main_ = main.name();
    index_.files.push_back({main.name(), std::string(main.text()), false});
    read(cat::library_source("stdlib.cat"), true, 0);
    read_main(main);
    base::sort(index_.uses, [](const CatUse& a, const CatUse& b) {
      return std::tuple(a.file, a.span.begin, a.span.end) < std::tuple(b.file, b.span.begin, b.span.end);
    });
    return std::move(index_);
  }

 private:
  struct Local {
    std::string name;
    std::uint32_t symbol;
  };

  void read_main(const base::Source& main) {
    base::Diagnostics again;  // the parser reports the same
    for (const cat::Token& token : cat::lex(main, again).tokens) {
      if (token.kind != cat::TokenKind::end) index_.tokens.push_back({token_kind(token.kind), token.span});
    }
    const cat::File tree = cat::parse(main, index_.mistakes);
    file_ = 0;
    statements(tree.statements, 0);
  }

  static CatToken::Kind token_kind(cat::TokenKind kind) {
    switch (kind) {
      case cat::TokenKind::keyword:
        return CatToken::Kind::keyword;
      case cat::TokenKind::tag:
        return CatToken::Kind::tag;
      case cat::TokenKind::string:
        return CatToken::Kind::string;
      case cat::TokenKind::symbol:
        return CatToken::Kind::symbol;
      case cat::TokenKind::name:
      case cat::TokenKind::end:
        break;
    }
    return CatToken::Kind::name;
  }

  std::uint32_t read(const base::Source& source, bool library, int depth) {
    const auto number = static_cast<std::uint32_t>(index_.files.size());
    index_.files.push_back({source.name(), std::string(source.text()), library});
    base::Diagnostics theirs;  // belong to that file
    const cat::File tree = cat::parse(source, theirs);
    const std::uint32_t outside = std::exchange(file_, number);
    statements(tree.statements, depth);
    file_ = outside;
    return number;
  }

  std::optional<std::uint32_t> include(const std::string& path, int depth) {
    if (path == "stdlib.cat" || path == "cross.cat" || path == "ncross.cat") return 1;  // same as in the resolver
    if (const auto known = included_.find(path); known != included_.end()) return known->second;
    if (depth >= kDeepestInclude || index_.files.size() >= kMostIncluded) return std::nullopt;
    included_[path] = std::nullopt;
    base::Result<base::Source> found = include_ ? include_(path) : base::Result<base::Source>(base::error("none"));
    std::optional<std::uint32_t> number;
    if (found) {
      number = found->name() == main_ ? 0 : read(*found, false, depth + 1);
    } else if (cat::has_library_file(path)) {
      number = read(cat::library_source(path), true, depth + 1);
    }
    included_[path] = number;
    return number;
  }

  // ---- names ----

  std::uint32_t add(CatSymbol symbol) {
    symbol.file = file_;
    const auto number = static_cast<std::uint32_t>(index_.symbols.size());
    index_.uses.push_back({file_, number, symbol.span, true});
    index_.symbols.push_back(std::move(symbol));
    return number;
  }

  void define(const cat::Name& name, CatSymbol::Kind kind, const cat::Statement& statement) {
    if (name.text.empty()) return;
    const std::uint32_t number = add({kind, name.text, 0, name.span, statement.span, statement.words, inside_ == 0});
    if (inside_ == 0) {
      globals_[name.text] = number;
    } else {
      locals_.push_back({name.text, number});
    }
  }

  void push(const std::vector<cat::Name>& names, base::Span visible) {
    for (const cat::Name& name : names) {
      if (name.text.empty()) continue;
      locals_.push_back({name.text, add({CatSymbol::Kind::parameter, name.text, 0, name.span, visible, "", false})});
    }
  }

  void use(std::string_view name, base::Span span) {
    if (const std::optional<std::uint32_t> symbol = find(std::string(name))) {
      index_.uses.push_back({file_, *symbol, span, false});
    }
  }

  std::optional<std::uint32_t> find(const std::string& name) {
    const auto local =
        std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& one) { return one.name == name; });
    if (local != locals_.rend()) return local->symbol;
    if (const auto global = globals_.find(name); global != globals_.end()) return global->second;
    if (const auto known = predefined_.find(name); known != predefined_.end()) return known->second;
    if (!find_predefined(name)) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(index_.symbols.size());
    index_.symbols.push_back({CatSymbol::Kind::predefined, name, 0, {}, {}, "", true});
    predefined_.emplace(name, number);
    return number;
  }

  // ---- statements ----

  void statements(const cat::Statements& list, int depth) {
    for (const cat::Statement& statement : list) one(statement, depth);
  }

  // Names that are defined inside stay inside.
  void inside(const cat::Statements& list, int depth) {
    const std::size_t outside = locals_.size();
    ++inside_;
    statements(list, depth);
    --inside_;
    locals_.resize(outside);
  }

  void one(const cat::Statement& statement, int depth) {
    using Kind = cat::StatementKind;
    switch (statement.kind) {
      case Kind::include: {
        const std::optional<std::uint32_t> file = include(statement.path, depth);
        if (file_ == 0) index_.includes.push_back({statement.span, file});
        return;
      }
      case Kind::let:
        for (const cat::Binding& binding : statement.bindings) expr(binding.value.get());
        return define_bindings(statement);
      case Kind::let_rec:
        define_bindings(statement);
        for (const cat::Binding& binding : statement.bindings) expr(binding.value.get());
        return;
      case Kind::procedure:
        return procedure(statement, depth);
      case Kind::with_from:
        expr(statement.expr.get());
        if (statement.name) define(*statement.name, CatSymbol::Kind::value, statement);
        return;
      case Kind::enumeration:
        if (statement.name) define(*statement.name, CatSymbol::Kind::enumeration, statement);
        return;
      case Kind::call:
        if (statement.name) use(statement.name->text, statement.name->span);
        expr(statement.expr.get());
        return check_name(statement.as, statement);
      case Kind::for_all: {
        expr(statement.expr.get());
        const std::size_t outside = locals_.size();
        if (statement.name) push({*statement.name}, statement.span);
        inside(statement.body, depth);
        locals_.resize(outside);
        return;
      }
      case Kind::if_variant:
        statements(statement.body, depth);
        return statements(statement.otherwise, depth);
      case Kind::match_tag:
        expr(statement.expr.get());
        for (const cat::TagCase& tag_case : statement.cases) inside(tag_case.body, depth);
        return;
      case Kind::check:
        expr(statement.expr.get());
        return check_name(statement.name, statement);
      case Kind::show:
        for (const cat::ExprPtr& shown : statement.shown) expr(shown.get());
        return;
      case Kind::unshow:
        for (const cat::Name& name : statement.names) use(name.text, name.span);
        return;
      case Kind::debug:
        return expr(statement.expr.get());
      case Kind::instructions:
        return;
    }
  }

  // Checks have names of their own: nothing refers to them.
  void check_name(const std::optional<cat::Name>& name, const cat::Statement& statement) {
    if (!name || name->text.empty()) return;
    add({CatSymbol::Kind::check, name->text, 0, name->span, statement.span, statement.words, inside_ == 0});
  }

  void define_bindings(const cat::Statement& statement) {
    for (const cat::Binding& binding : statement.bindings) {
      const bool function = binding.value && binding.value->kind == cat::ExprKind::function;
      for (const cat::Name& name : binding.pattern.names) {
        define(name, function ? CatSymbol::Kind::function : CatSymbol::Kind::value, statement);
      }
    }
  }

  void procedure(const cat::Statement& statement, int depth) {
    if (!statement.name) return;
    if (statement.recursive) define(*statement.name, CatSymbol::Kind::procedure, statement);
    const std::size_t outside = locals_.size();
    push(statement.pattern.names, statement.span);
    inside(statement.body, depth);
    locals_.resize(outside);
    if (!statement.recursive) define(*statement.name, CatSymbol::Kind::procedure, statement);
  }

  // ---- expressions ----

  void expr(const cat::Expr* node) {
    if (node == nullptr) return;
    using Kind = cat::ExprKind;
    const std::size_t outside = locals_.size();
    switch (node->kind) {
      case Kind::variable:
        return use(node->name, node->span);
      case Kind::function:
        push(node->pattern.names, node->span);
        operands(*node);
        break;
      case Kind::let_in:
        for (const cat::Binding& binding : node->bindings) expr(binding.value.get());
        push_bindings(*node);
        operands(*node);
        break;
      case Kind::let_rec_in:
        push_bindings(*node);
        for (const cat::Binding& binding : node->bindings) expr(binding.value.get());
        operands(*node);
        break;
      case Kind::match_set:
        for (std::size_t i = 0; i < node->operands.size(); ++i) {
          if (i == 2) push(node->pattern.names, node->span);
          expr(node->operands[i].get());
        }
        break;
      case Kind::match_tag:
        operands(*node);
        for (const cat::Clause& clause : node->clauses) expr(clause.body.get());
        break;
      default:
        operands(*node);
    }
    locals_.resize(outside);
  }

  void operands(const cat::Expr& node) {
    for (const cat::ExprPtr& operand : node.operands) expr(operand.get());
  }

  void push_bindings(const cat::Expr& node) {
    for (const cat::Binding& binding : node.bindings) push(binding.pattern.names, node.span);
  }

  const IncludeLoader& include_;
  CatIndex index_;
  std::string main_;
  std::uint32_t file_ = 0;
  int inside_ = 0;  // statements around the current one
  std::unordered_map<std::string, std::optional<std::uint32_t>> included_;
  std::unordered_map<std::string, std::uint32_t> globals_;
  std::unordered_map<std::string, std::uint32_t> predefined_;
  std::vector<Local> locals_;  // innermost last
};

}  // namespace

const CatUse* CatIndex::use_at(std::size_t offset) const {
  // Uses of the text itself come first, by place.
  auto use = std::upper_bound(uses.begin(), uses.end(), offset,
                              [](std::size_t at, const CatUse& one) { return one.file > 0 || at < one.span.begin; });
  if (use == uses.begin()) return nullptr;
  --use;
  return use->file == 0 && offset <= use->span.end ? &*use : nullptr;
}

std::optional<std::uint32_t> CatIndex::included_at(std::size_t offset) const {
  for (const CatInclude& include : includes) {
    if (offset >= include.span.begin && offset <= include.span.end) return include.file;
  }
  return std::nullopt;
}

CatIndex index_cat(const base::Source& source, const IncludeLoader& include) { return Indexer(include).run(source); }

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// A cat model evaluated in the most obvious way: sets and relations are tables of truth values, every definition is
// computed anew for every execution and every choice of an order, when it is first asked for. For tests only: with the
// brute-force executions it is the oracle of the judge.
//
// The syntax tree is all that is shared with the model's own interpreter: not its library, its primitives, its names or
// its types. The evaluation knows the part of cat that our models are written in, and throws for the rest.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "base/file.h"
#include "base/source.h"
#include "model/cat/cat_parser.h"
#include "support/naive_names.h"

namespace weakspot::tests {

namespace cat = model::cat;

struct NaiveScope;
using NaiveEnvironment = std::shared_ptr<const NaiveScope>;

struct Everything {};  // `_`, of sets or of relations
struct NaiveFunction {
  const cat::Expr* expr = nullptr;
  NaiveEnvironment environment;
};
struct NaiveTuple;
using NaiveValue = std::variant<NaiveSet, NaiveRelation, Everything, NaiveFunction, std::shared_ptr<NaiveTuple>>;
struct NaiveTuple {
  std::vector<NaiveValue> values;
};

struct NaiveScope {
  std::string name;
  mutable NaiveValue value;
  NaiveEnvironment outer;
  // The expression that gives the value when it is first asked for, and the names known there.
  mutable const cat::Expr* pending = nullptr;
  NaiveEnvironment known;
};

class NaiveCat {
 public:
  // A file of models/, by its name without the ending.
  explicit NaiveCat(const std::string& model) {
    add(kLibrary);
    add(text_of(model + ".cat"));
  }

  // True if the model's coherence is a partial order.
  bool partial_coherence() const {
    return std::any_of(statements_.begin(), statements_.end(), [](const cat::Statement* statement) {
      return statement->kind == cat::StatementKind::with_from &&
             Evaluation::is_call(*statement->expr, "generate_partial_cos");
    });
  }

  // True if the model allows the execution. Adds the names of the flags that it raises. Counts down the orders that may
  // still be tried, and throws TooLarge when none is left.
  bool allows(const Execution& execution, std::set<std::string>& flags, int& orders_left) const {
    if (names_ == nullptr || names_->frame() != execution.frame) {
      names_ = std::make_unique<NaiveNames>(execution);
    } else {
      names_->next_execution();
    }
    std::set<std::string> raised;
    if (!Evaluation{*names_, statements_, raised, orders_left}.run(0, nullptr)) return false;
    flags.merge(raised);
    return true;
  }

 private:
  static constexpr const char* kLibrary = R"("library"
let po-loc = po & loc
let rfe = rf & ext
let rfi = rf & int
let coe = co & ext
let coi = co & int
let fr = rf^-1; co
let fre = fr & ext
let fri = fr & int
let co0 = loc & (IW * (W \ IW))
let toid(s) = [s]
let fencerel(s) = po; [s]; po
)";

  struct Evaluation {
    NaiveNames& names;
    const std::vector<const cat::Statement*>& statements;
    std::set<std::string>& flags;
    int& orders_left;

    // Runs the statements from `next` on. A choice of an order tries the rest with each of them.
    bool run(std::size_t next, NaiveEnvironment environment) {
      for (; next < statements.size(); ++next) {
        const cat::Statement& statement = *statements[next];
        switch (statement.kind) {
          case cat::StatementKind::let:
          case cat::StatementKind::let_rec:
            environment = define(statement.bindings, statement.kind == cat::StatementKind::let_rec, environment);
            break;
          case cat::StatementKind::check: {
            const bool holds = this->holds(statement, environment);
            if (statement.role == cat::CheckRole::require && !holds) return false;
            const bool raised = statement.role == cat::CheckRole::flag ? holds : !holds;
            if (statement.role != cat::CheckRole::require && raised) flags.insert(statement.name->text);
            break;
          }
          case cat::StatementKind::with_from:
            if (!is_call(*statement.expr, "linearisations")) break;  // coherence: chosen with the execution
            return some_order(statement, next, environment);
          case cat::StatementKind::show:
          case cat::StatementKind::unshow:
            break;
          default:
            throw std::runtime_error("the oracle does not know this statement");
        }
      }
      return true;
    }

    static bool is_call(const cat::Expr& expr, const std::string& function) {
      return expr.kind == cat::ExprKind::application && expr.operands[0]->name == function;
    }

    bool some_order(const cat::Statement& statement, std::size_t at, const NaiveEnvironment& environment) {
      const NaiveValue argument = evaluate(*statement.expr->operands[1], environment);
      const NaiveTuple& both = *std::get<std::shared_ptr<NaiveTuple>>(argument);
      const NaiveSet events = set(both.values[0]);
      const NaiveRelation contains = restrict(relation(both.values[1]), events);
      std::vector<std::size_t> order;
      for (std::size_t event = 0; event < size(); ++event) {
        if (events[event]) order.push_back(event);
      }
      // Each order that the rest of the model accepts may raise flags.
      const bool all = std::any_of(statements.begin() + static_cast<std::ptrdiff_t>(at), statements.end(),
                                   [](const cat::Statement* later) { return is_flag(*later); });
      bool found = false;
      do {
        if (--orders_left < 0) throw TooLarge();
        NaiveRelation pairs{};
        for (std::size_t i = 0; i < order.size(); ++i) {
          for (std::size_t j = i + 1; j < order.size(); ++j) pairs[order[i]][order[j]] = true;
        }
        if (!is_empty(combine(cat::ExprKind::subtract, contains, pairs))) continue;
        std::set<std::string> raised;
        Evaluation rest{names, statements, raised, orders_left};
        if (!rest.run(at + 1, bind(environment, statement.name->text, pairs))) continue;
        flags.merge(raised);
        found = true;
      } while ((all || !found) && std::next_permutation(order.begin(), order.end()));
      return found;
    }

    static bool is_flag(const cat::Statement& statement) {
      return statement.kind == cat::StatementKind::check && statement.role != cat::CheckRole::require;
    }

    bool holds(const cat::Statement& statement, const NaiveEnvironment& environment) {
      const NaiveValue value = evaluate(*statement.expr, environment);
      bool holds = false;
      if (statement.test == model::Check::Kind::empty) {
        holds = std::holds_alternative<NaiveSet>(value) ? set(value).none() : is_empty(relation(value));
      } else {
        NaiveRelation pairs = relation(value);
        if (statement.test == model::Check::Kind::acyclic) pairs = closure(pairs);
        holds = true;
        for (std::size_t event = 0; event < size(); ++event) holds = holds && !pairs[event][event];
      }
      return holds != statement.negated;
    }

    // ---- definitions ----

    static NaiveEnvironment bind(const NaiveEnvironment& outer, const std::string& name, NaiveValue value) {
      return std::make_shared<NaiveScope>(NaiveScope{name, std::move(value), outer, nullptr, nullptr});
    }

    static NaiveEnvironment bind(const NaiveEnvironment& outer, const cat::Pattern& pattern, const NaiveValue& value) {
      if (pattern.names.size() == 1) return bind(outer, pattern.names[0].text, value);
      NaiveEnvironment environment = outer;
      const NaiveTuple& tuple = *std::get<std::shared_ptr<NaiveTuple>>(value);
      for (std::size_t i = 0; i < pattern.names.size(); ++i) {
        environment = bind(environment, pattern.names[i].text, tuple.values[i]);
      }
      return environment;
    }

    NaiveEnvironment define(const std::vector<cat::Binding>& bindings, bool recursive, const NaiveEnvironment& outer) {
      NaiveEnvironment environment = outer;
      if (!recursive) {
        for (const cat::Binding& binding : bindings) {
          environment = binding.pattern.names.size() == 1
                            ? std::make_shared<NaiveScope>(NaiveScope{
                                  binding.pattern.names[0].text, {}, environment, binding.value.get(), outer})
                            : bind(environment, binding.pattern, evaluate(*binding.value, outer));
        }
        return environment;
      }
      // The least fixpoint, from empty relations upwards.
      std::vector<NaiveRelation> values(bindings.size(), NaiveRelation{});
      for (bool changed = true; changed;) {
        environment = outer;
        for (std::size_t i = 0; i < bindings.size(); ++i) {
          environment = bind(environment, bindings[i].pattern.names[0].text, values[i]);
        }
        changed = false;
        for (std::size_t i = 0; i < bindings.size(); ++i) {
          NaiveRelation next = relation(evaluate(*bindings[i].value, environment));
          changed = changed || next != values[i];
          values[i] = std::move(next);
        }
      }
      return environment;
    }

    // ---- expressions ----

    std::size_t size() const { return static_cast<std::size_t>(names.size()); }

    NaiveSet set(const NaiveValue& value) const {
      if (const auto* events = std::get_if<NaiveSet>(&value)) return *events;
      if (!std::holds_alternative<Everything>(value)) throw std::runtime_error("the oracle expected a set");
      NaiveSet all;
      for (std::size_t event = 0; event < size(); ++event) all[event] = true;
      return all;
    }

    NaiveRelation relation(const NaiveValue& value) const {
      if (const auto* pairs = std::get_if<NaiveRelation>(&value)) return *pairs;
      if (!std::holds_alternative<Everything>(value)) throw std::runtime_error("the oracle expected a relation");
      return product(set(value), set(value));
    }

    bool is_empty(const NaiveRelation& r) const {
      for (std::size_t from = 0; from < size(); ++from) {
        if (r[from].any()) return false;
      }
      return true;
    }

    NaiveRelation product(const NaiveSet& a, const NaiveSet& b) const {
      NaiveRelation pairs{};
      for (std::size_t from = 0; from < size(); ++from) {
        if (a[from]) pairs[from] = b;
      }
      return pairs;
    }

    // The pairs within a set.
    NaiveRelation restrict(const NaiveRelation& r, const NaiveSet& events) const {
      return combine(cat::ExprKind::intersect, r, product(events, events));
    }

    NaiveRelation compose(const NaiveRelation& a, const NaiveRelation& b) const {
      NaiveRelation pairs{};
      for (std::size_t from = 0; from < size(); ++from) {
        for (std::size_t middle = 0; middle < size(); ++middle) {
          if (a[from][middle]) pairs[from] |= b[middle];
        }
      }
      return pairs;
    }

    NaiveRelation inverse(const NaiveRelation& r) const {
      NaiveRelation pairs{};
      for (std::size_t from = 0; from < size(); ++from) {
        for (std::size_t to = 0; to < size(); ++to) pairs[to][from] = r[from][to];
      }
      return pairs;
    }

    NaiveRelation closure(NaiveRelation r) const {
      for (;;) {
        NaiveRelation longer = combine(cat::ExprKind::unite, r, compose(r, r));
        if (longer == r) return r;
        r = longer;
      }
    }

    NaiveRelation identity(const NaiveSet& events) const {
      NaiveRelation pairs{};
      for (std::size_t event = 0; event < size(); ++event) pairs[event][event] = events[event];
      return pairs;
    }

    static NaiveSet combine(cat::ExprKind kind, const NaiveSet& a, const NaiveSet& b) {
      if (kind == cat::ExprKind::unite) return a | b;
      return kind == cat::ExprKind::intersect ? a & b : a & ~b;
    }

    NaiveRelation combine(cat::ExprKind kind, const NaiveRelation& a, const NaiveRelation& b) const {
      NaiveRelation pairs{};
      for (std::size_t from = 0; from < size(); ++from) pairs[from] = combine(kind, a[from], b[from]);
      return pairs;
    }

    NaiveValue combine(cat::ExprKind kind, const NaiveValue& a, const NaiveValue& b) const {
      if (std::holds_alternative<NaiveSet>(a) || std::holds_alternative<NaiveSet>(b)) {
        return combine(kind, set(a), set(b));
      }
      return combine(kind, relation(a), relation(b));
    }

    NaiveValue variable(const std::string& name, const NaiveEnvironment& environment) {
      for (const NaiveScope* scope = environment.get(); scope != nullptr; scope = scope->outer.get()) {
        if (scope->name != name) continue;
        if (scope->pending != nullptr) scope->value = evaluate(*std::exchange(scope->pending, nullptr), scope->known);
        return scope->value;
      }
      if (const auto* events = names.set(name)) return *events;
      if (const auto* pairs = names.relation(name)) return *pairs;
      throw std::runtime_error("the oracle does not know '" + name + "'");
    }

    NaiveValue apply(const cat::Expr& expr, const NaiveEnvironment& environment) {
      const std::string& name = expr.operands[0]->name;
      const NaiveValue argument = evaluate(*expr.operands[1], environment);
      if (name == "domain" || name == "range") {
        const NaiveRelation pairs = name == "domain" ? relation(argument) : inverse(relation(argument));
        NaiveSet events;
        for (std::size_t event = 0; event < size(); ++event) events[event] = pairs[event].any();
        return events;
      }
      const NaiveValue function = evaluate(*expr.operands[0], environment);
      const auto* closure = std::get_if<NaiveFunction>(&function);
      if (closure == nullptr) throw std::runtime_error("the oracle expected a function");
      return evaluate(*closure->expr->operands[0], bind(closure->environment, closure->expr->pattern, argument));
    }

    NaiveValue evaluate(const cat::Expr& expr, const NaiveEnvironment& environment) {
      auto operand = [&](std::size_t i) { return evaluate(*expr.operands[i], environment); };
      switch (expr.kind) {
        case cat::ExprKind::variable:
          return variable(expr.name, environment);
        case cat::ExprKind::empty_relation:
          return NaiveRelation{};
        case cat::ExprKind::universe:
          return Everything{};
        case cat::ExprKind::tuple: {
          auto tuple = std::make_shared<NaiveTuple>();
          for (std::size_t i = 0; i < expr.operands.size(); ++i) tuple->values.push_back(operand(i));
          return tuple;
        }
        case cat::ExprKind::application:
          return apply(expr, environment);
        case cat::ExprKind::function:
          return NaiveFunction{&expr, environment};
        case cat::ExprKind::let_in:
        case cat::ExprKind::let_rec_in:
          return evaluate(*expr.operands[0],
                          define(expr.bindings, expr.kind == cat::ExprKind::let_rec_in, environment));
        case cat::ExprKind::if_variant:  // no variant is set
          return operand(1);
        case cat::ExprKind::identity_on:
          return identity(set(operand(0)));
        case cat::ExprKind::closure:
          return closure(relation(operand(0)));
        case cat::ExprKind::star:
          return combine(cat::ExprKind::unite, closure(relation(operand(0))), identity(set(Everything{})));
        case cat::ExprKind::optional:
          return combine(cat::ExprKind::unite, relation(operand(0)), identity(set(Everything{})));
        case cat::ExprKind::inverse:
          return inverse(relation(operand(0)));
        case cat::ExprKind::complement:
          return combine(cat::ExprKind::subtract, Everything{}, operand(0));
        case cat::ExprKind::unite:
        case cat::ExprKind::intersect:
        case cat::ExprKind::subtract: {
          NaiveValue value = operand(0);
          for (std::size_t i = 1; i < expr.operands.size(); ++i) value = combine(expr.kind, value, operand(i));
          return value;
        }
        case cat::ExprKind::sequence: {
          NaiveRelation value = relation(operand(0));
          for (std::size_t i = 1; i < expr.operands.size(); ++i) value = compose(value, relation(operand(i)));
          return value;
        }
        case cat::ExprKind::product:
          return product(set(operand(0)), set(operand(1)));
        default:
          throw std::runtime_error("the oracle does not know this expression");
      }
    }
  };

  static std::string text_of(const std::string& file) {
    return *base::read_file((base::data_directory("models") / file).string());
  }

  void add(const std::string& text) {
    sources_.push_back(std::make_unique<base::Source>("oracle.cat", text));
    base::Diagnostics mistakes;
    files_.push_back(std::make_unique<cat::File>(cat::parse(*sources_.back(), mistakes)));
    if (!mistakes.empty()) throw std::runtime_error(base::render(mistakes));
    for (const cat::Statement& statement : files_.back()->statements) {
      if (statement.kind != cat::StatementKind::include) {
        statements_.push_back(&statement);
      } else if (statement.path != "cos.cat") {  // its definitions are in the library above
        add(text_of(statement.path));
      }
    }
  }

  std::vector<std::unique_ptr<base::Source>> sources_;
  std::vector<std::unique_ptr<cat::File>> files_;
  std::vector<const cat::Statement*> statements_;
  mutable std::unique_ptr<NaiveNames> names_;  // those of the latest execution's frame
};

}  // namespace weakspot::tests

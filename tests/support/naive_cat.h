// SPDX-License-Identifier: MIT
// A cat model evaluated in the most obvious way: sets are std::set, relations are sets of pairs, every definition is
// computed anew for every execution and every choice of an order, when it is first asked for. For tests only: with the
// brute-force executions it is the oracle of the judge.
//
// It shares the syntax tree with the model's own interpreter and nothing else: not its library, its primitives, its
// names or its types. It knows the part of cat that our models are written in, and throws for the rest.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "base/file.h"
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
  // The text of a file of models/.
  explicit NaiveCat(const std::string& text) {
    add(kLibrary);
    add(text);
  }

  // Whether the model allows the execution; the names of the flags it raises are added.
  bool allows(const Execution& execution, std::set<std::string>& flags) const {
    if (names_ == nullptr || names_->frame() != execution.frame) {
      names_ = std::make_unique<NaiveNames>(execution);
    } else {
      names_->next_execution();
    }
    std::pmr::monotonic_buffer_resource heap(1 << 16);
    const UseHeap use(heap);
    std::set<std::string> raised;
    if (!Evaluation{*names_, statements_, raised}.run(0, nullptr)) return false;
    flags.merge(raised);
    return true;
  }

 private:
  // While this exists, nodes are allocated from the heap.
  struct UseHeap {
    explicit UseHeap(std::pmr::memory_resource& heap) : before(std::pmr::set_default_resource(&heap)) {}
    UseHeap(const UseHeap&) = delete;
    UseHeap& operator=(const UseHeap&) = delete;
    ~UseHeap() { std::pmr::set_default_resource(before); }
    std::pmr::memory_resource* before;
  };

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

    // The statements from `next` on; a choice of an order tries the rest with each of them.
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
      const NaiveRelation contains = relation(both.values[1]);
      std::vector<int> order(events.begin(), events.end());
      bool found = false;
      do {
        NaiveRelation pairs;
        for (std::size_t i = 0; i < order.size(); ++i) {
          for (std::size_t j = i + 1; j < order.size(); ++j) pairs.emplace(order[i], order[j]);
        }
        const bool fits = std::all_of(contains.begin(), contains.end(), [&](const auto& pair) {
          return !events.contains(pair.first) || !events.contains(pair.second) || pairs.contains(pair);
        });
        found = found || (fits && run(at + 1, bind(environment, statement.name->text, pairs)));
      } while (!found && std::next_permutation(order.begin(), order.end()));
      return found;
    }

    bool holds(const cat::Statement& statement, const NaiveEnvironment& environment) {
      const NaiveValue value = evaluate(*statement.expr, environment);
      bool holds = false;
      if (statement.test == cat::Check::Kind::empty) {
        holds = std::holds_alternative<NaiveSet>(value) ? set(value).empty() : relation(value).empty();
      } else {
        NaiveRelation pairs = relation(value);
        if (statement.test == cat::Check::Kind::acyclic) {
          holds = is_acyclic(std::move(pairs));
        } else {
          holds = std::none_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.first == pair.second; });
        }
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
      std::vector<NaiveRelation> values(bindings.size());
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

    NaiveSet set(const NaiveValue& value) const {
      if (const auto* events = std::get_if<NaiveSet>(&value)) return *events;
      if (!std::holds_alternative<Everything>(value)) throw std::runtime_error("the oracle expected a set");
      NaiveSet all;
      for (int i = 0; i < names.size(); ++i) all.insert(i);
      return all;
    }

    NaiveRelation relation(const NaiveValue& value) const {
      if (const auto* pairs = std::get_if<NaiveRelation>(&value)) return *pairs;
      if (!std::holds_alternative<Everything>(value)) throw std::runtime_error("the oracle expected a relation");
      return product(set(value), set(value));
    }

    static NaiveRelation product(const NaiveSet& a, const NaiveSet& b) {
      NaiveRelation pairs;
      for (int from : a) {
        for (int to : b) pairs.emplace(from, to);
      }
      return pairs;
    }

    static NaiveRelation compose(const NaiveRelation& a, const NaiveRelation& b) {
      NaiveRelation pairs;
      for (const auto& [from, middle] : a) {
        for (auto at = b.lower_bound({middle, 0}); at != b.end() && at->first == middle; ++at) {
          pairs.emplace(from, at->second);
        }
      }
      return pairs;
    }

    static NaiveRelation closure(NaiveRelation r) {
      for (std::size_t before = 0; before != r.size();) {
        before = r.size();
        r.merge(compose(r, r));
      }
      return r;
    }

    // Whether removing pairs that lead nowhere, again and again, leaves nothing.
    static bool is_acyclic(NaiveRelation r) {
      for (std::size_t before = 0; before != r.size();) {
        before = r.size();
        std::erase_if(r, [&](const auto& pair) {
          const auto next = r.lower_bound({pair.second, 0});
          return next == r.end() || next->first != pair.second;
        });
      }
      return r.empty();
    }

    NaiveRelation identity(const NaiveSet& events) const {
      NaiveRelation pairs;
      for (int event : events) pairs.emplace(event, event);
      return pairs;
    }

    template <typename Collection>
    static Collection combine(cat::ExprKind kind, const Collection& a, const Collection& b) {
      Collection result;
      if (kind == cat::ExprKind::unite) {
        result = a;
        result.insert(b.begin(), b.end());
        return result;
      }
      for (const auto& item : a) {
        if (b.contains(item) == (kind == cat::ExprKind::intersect)) result.insert(item);
      }
      return result;
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
        NaiveSet events;
        for (const auto& [from, to] : relation(argument)) events.insert(name == "domain" ? from : to);
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
        case cat::ExprKind::identity_on:
          return identity(set(operand(0)));
        case cat::ExprKind::closure:
          return closure(relation(operand(0)));
        case cat::ExprKind::star:
          return combine(cat::ExprKind::unite, closure(relation(operand(0))), identity(set(Everything{})));
        case cat::ExprKind::optional:
          return combine(cat::ExprKind::unite, relation(operand(0)), identity(set(Everything{})));
        case cat::ExprKind::inverse: {
          NaiveRelation pairs;
          for (const auto& [from, to] : relation(operand(0))) pairs.emplace(to, from);
          return pairs;
        }
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

  void add(const std::string& text) {
    sources_.push_back(std::make_unique<base::Source>("oracle.cat", text));
    base::Diagnostics mistakes;
    files_.push_back(std::make_unique<cat::File>(cat::parse(*sources_.back(), mistakes)));
    if (!mistakes.empty()) throw std::runtime_error(base::render(mistakes));
    for (const cat::Statement& statement : files_.back()->statements) {
      if (statement.kind != cat::StatementKind::include) {
        statements_.push_back(&statement);
      } else if (statement.path != "cos.cat") {  // its definitions are in the library above
        throw std::runtime_error("the oracle does not include '" + statement.path + "'");
      }
    }
  }

  std::vector<std::unique_ptr<base::Source>> sources_;
  std::vector<std::unique_ptr<cat::File>> files_;
  std::vector<const cat::Statement*> statements_;
  mutable std::unique_ptr<NaiveNames> names_;  // of the latest execution's frame
};

}  // namespace weakspot::tests

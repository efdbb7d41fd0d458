// SPDX-License-Identifier: MIT
#include "litmus/condition.h"

#include <algorithm>
#include <iterator>

namespace weakspot::litmus {
namespace {

using PropositionKind = Proposition::Kind;

Proposition join(PropositionKind kind, PropositionKind neutral, std::vector<Proposition> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  std::vector<Proposition> flat;
  if (std::any_of(parts.begin(), parts.end(), [&](const Proposition& part) { return part.kind == kind; })) {
    for (Proposition& part : parts) {
      if (part.kind == kind) {
        std::move(part.children.begin(), part.children.end(), std::back_inserter(flat));
      } else {
        flat.push_back(std::move(part));
      }
    }
  } else {
    flat = std::move(parts);
  }
  Proposition joined;
  if (flat.empty()) {
    joined.kind = neutral;
  } else if (flat.size() == 1) {
    joined = std::move(flat.front());
  } else {
    joined.kind = kind;
    joined.span = flat.front().span;
    joined.span.end = flat.back().span.end;
    joined.children = std::move(flat);
  }
  return joined;
}

bool compare_values(const Value& left, CompareOp op, const Value& right) {
  switch (op) {
    case CompareOp::eq:
      return left == right;
    case CompareOp::ne:
      return left != right;
    case CompareOp::lt:
      return left.number < right.number;
    case CompareOp::le:
      return left.number <= right.number;
    case CompareOp::gt:
      return left.number > right.number;
    case CompareOp::ge:
      return left.number >= right.number;
  }
  return false;
}

template <typename PropositionRef, typename Visit>
void visit_terms(PropositionRef& proposition, const Visit& visit) {
  if (proposition.kind == PropositionKind::comparison) {
    visit(proposition.left);
    visit(proposition.right);
  }
  for (auto& child : proposition.children) visit_terms(child, visit);
}

}  // namespace

Proposition compare(Term left, CompareOp op, Term right) {
  Proposition comparison;
  comparison.kind = PropositionKind::comparison;
  comparison.left = left;
  comparison.op = op;
  comparison.right = right;
  return comparison;
}

Proposition equals(Observable observable, Value value) { return compare(observable, CompareOp::eq, value); }

Proposition all_of(std::vector<Proposition> parts) {
  return join(PropositionKind::conjunction, PropositionKind::truth, std::move(parts));
}

Proposition any_of(std::vector<Proposition> parts) {
  return join(PropositionKind::disjunction, PropositionKind::falsity, std::move(parts));
}

Proposition negation(Proposition part) {
  Proposition negated;
  negated.kind = PropositionKind::negation;
  negated.span = part.span;
  negated.children.push_back(std::move(part));
  return negated;
}

bool holds(const Proposition& proposition, const std::function<Value(const Observable&)>& value_of) {
  auto holds_here = [&](const Proposition& child) { return holds(child, value_of); };
  const std::vector<Proposition>& children = proposition.children;
  switch (proposition.kind) {
    case PropositionKind::truth:
      return true;
    case PropositionKind::falsity:
      return false;
    case PropositionKind::negation:
      return !holds_here(children[0]);
    case PropositionKind::conjunction:
      return std::all_of(children.begin(), children.end(), holds_here);
    case PropositionKind::disjunction:
      return std::any_of(children.begin(), children.end(), holds_here);
    case PropositionKind::implication:
      return !holds_here(children[0]) || holds_here(children[1]);
    case PropositionKind::comparison:
      break;
  }
  auto evaluate = [&](const Term& term) {
    const auto* observable = std::get_if<Observable>(&term);
    return observable != nullptr ? value_of(*observable) : std::get<Value>(term);
  };
  return compare_values(evaluate(proposition.left), proposition.op, evaluate(proposition.right));
}

void for_each_observable(const Proposition& proposition, const std::function<void(const Observable&)>& visit) {
  visit_terms(proposition, [&](const Term& term) {
    if (const auto* observable = std::get_if<Observable>(&term)) visit(*observable);
  });
}

void for_each_observable(Proposition& proposition, const std::function<void(Observable&)>& visit) {
  visit_terms(proposition, [&](Term& term) {
    if (auto* observable = std::get_if<Observable>(&term)) visit(*observable);
  });
}

void for_each_value(Proposition& proposition, const std::function<void(Value&)>& visit) {
  visit_terms(proposition, [&](Term& term) {
    if (auto* value = std::get_if<Value>(&term)) visit(*value);
  });
}

void wrap_numbers(Proposition& proposition, const std::function<std::optional<Type>(const Observable&)>& type_of) {
  for (Proposition& child : proposition.children) wrap_numbers(child, type_of);
  if (proposition.kind != PropositionKind::comparison) return;
  auto wrap_side = [&](const Term& observed, Term& constant) {
    const auto* item = std::get_if<Observable>(&observed);
    auto* value = std::get_if<Value>(&constant);
    if (item == nullptr || value == nullptr || value->base) return;
    if (const std::optional<Type> type = type_of(*item)) value->number = wrap(value->number, *type);
  };
  wrap_side(proposition.left, proposition.right);
  wrap_side(proposition.right, proposition.left);
}

}  // namespace weakspot::litmus

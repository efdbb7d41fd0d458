// SPDX-License-Identifier: MIT
#include "model/cat/cat_expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/cat/predefined.h"

namespace weakspot::model::cat {
namespace {

// Recursion over the elements of a set takes three levels per element.
constexpr int kMaxDepth = 1200;
constexpr std::size_t kMaxNodes = 50'000;
constexpr std::size_t kMaxOperands = 5'000'000;

}  // namespace

Value Expressions::eval(const Expr& expr, const Locals* locals) {
  if (depth_ >= kMaxDepth) {
    return checking_ ? make_value(ValueKind::unknown) : mistake(expr.place(), "this recursion goes too deep");
  }
  if (!spend(1)) return too_many_steps(expr.place());
  if (graph_.size() > kMaxNodes || graph_.operand_count() > kMaxOperands)
    return mistake(expr.place(), "the model computes too many relations");
  ++depth_;
  Value value = eval_inside(expr, locals);
  --depth_;
  return value;
}

Value Expressions::eval_inside(const Expr& expr, const Locals* locals) {
  switch (expr.kind) {
    case ExprKind::variable:
      return eval_reference(expr.reference, expr.name, expr.place(), locals);
    case ExprKind::empty_relation:
      return relation_value(graph_.empty_relation());
    case ExprKind::universe:
      return make_value(ValueKind::universe);
    case ExprKind::tag: {
      const auto at = tags_.find(expr.name);
      if (at == tags_.end())
        return mistake(expr.place(), fmt::format("tag '{} is not declared by an 'enum'", expr.name));
      Value value = make_value(ValueKind::tag);
      value.index = at->second;
      return value;
    }
    case ExprKind::explicit_set:
      return explicit_set(expr, eval_operands(expr, locals));
    case ExprKind::tuple:
      return make_items(ValueKind::tuple, eval_operands(expr, locals));
    case ExprKind::application: {
      const Value function = eval(*expr.operands[0], locals);
      const Value argument = eval(*expr.operands[1], locals);
      return apply(expr.place(), function, argument);
    }
    case ExprKind::function: {
      auto data = std::make_shared<ValueData>();
      data->function = &expr;
      data->locals = locals;
      Value value = make_value(ValueKind::function);
      value.data = std::move(data);
      return value;
    }
    case ExprKind::let_in:
    case ExprKind::let_rec_in:
      return eval_let(expr, locals);
    case ExprKind::try_with:
      return eval_try(expr, locals);
    case ExprKind::if_variant:
      return eval(*expr.operands[holds(expr.condition, variants_) ? 0 : 1], locals);
    case ExprKind::if_equal:
    case ExprKind::if_subset:
    case ExprKind::if_member:
      return eval_if(expr, locals);
    case ExprKind::match_tag:
      return eval_match_tag(expr, locals);
    case ExprKind::match_set:
      return eval_match_set(expr, locals);
    case ExprKind::unite:
    case ExprKind::intersect:
    case ExprKind::subtract:
      return set_operation(expr, eval_operands(expr, locals));
    case ExprKind::sequence:
      return sequence(eval_operands(expr, locals, &Expressions::as_relation));
    case ExprKind::product: {
      const std::vector<Value> sets = eval_operands(expr, locals, &Expressions::as_set);
      return product(sets[0], sets[1]);
    }
    case ExprKind::add:
      return add(expr, eval_operands(expr, locals));
    case ExprKind::identity_on:
    case ExprKind::closure:
    case ExprKind::star:
    case ExprKind::optional:
    case ExprKind::inverse:
    case ExprKind::complement:
      return unary(expr, eval(*expr.operands[0], locals));
  }
  return make_value(ValueKind::unknown);
}

Value Expressions::eval_reference(Reference reference, const std::string& name, Place place, const Locals* locals) {
  switch (reference.kind) {
    case Reference::Kind::local:
      for (std::uint32_t i = 0; i < reference.index && locals != nullptr; ++i) locals = locals->outer;
      return locals == nullptr ? make_value(ValueKind::unknown) : locals->value;
    case Reference::Kind::global:
      return globals_[reference.index];
    case Reference::Kind::predefined:
      return eval_predefined(predefined(reference.index));
    case Reference::Kind::unbound:
    case Reference::Kind::unresolved:
      break;
  }
  return mistake(place, fmt::format("'{}' is not defined", name));
}

Value Expressions::apply(Place place, const Value& function, const Value& argument) {
  if (std::optional<Value> found = problem({&function})) return *found;
  if (function.kind == ValueKind::unknown) return function;
  if (function.kind == ValueKind::primitive) {
    const Predefined& name = predefined(function.index);
    return call(place, static_cast<Primitive>(name.index), name.name, argument);
  }
  if (function.kind != ValueKind::function) return wrong_type(place, "a function", function);
  const Expr& body = *function.data->function;
  const Locals* locals = function.data->locals;
  for (Value& part : take_apart(body.pattern, argument, place)) locals = push(std::move(part), locals);
  if (!checking_) {
    Value result = eval(*body.operands[0], locals);
    if (graph_.form() == Graph::Form::as_written && result.kind == ValueKind::relation && !body.name.empty()) {
      applied_.emplace_back(result.node, body.name);
    }
    return result;
  }
  // The type of a recursive call follows from the other branches.
  int& active = active_[&body];
  if (active >= 2) return make_value(ValueKind::unknown);
  ++active;
  Value result = eval(*body.operands[0], locals);
  --active_[&body];
  return result;
}

std::vector<Value> Expressions::eval_operands(const Expr& expr, const Locals* locals, Coercion coerce) {
  std::vector<Value> values;
  for (const ExprPtr& operand : expr.operands) {
    values.push_back(eval(*operand, locals));
    if (coerce != nullptr) values.back() = (this->*coerce)(operand->place(), values.back());
  }
  return values;
}

Value Expressions::eval_try(const Expr& expr, const Locals* locals) {
  const std::size_t before = mistakes_.size();
  Value value = eval(*expr.operands[0], locals);
  if (value.kind != ValueKind::mistake) return value;
  excuse(before);
  for (std::uint32_t number : value.data->mistakes) excused_[number] = true;
  return eval(*expr.operands[1], locals);
}

std::vector<Value> Expressions::eval_bindings(const std::vector<Binding>& bindings, Place place, const Locals* locals) {
  std::vector<Value> values;
  for (const Binding& binding : bindings) {
    const Value value = eval(*binding.value, locals);
    for (Value& part : take_apart(binding.pattern, value, place)) values.push_back(std::move(part));
  }
  return values;
}

Locals* Expressions::push(Value value, const Locals* outer) {
  locals_.push_back({std::move(value), outer});
  return &locals_.back();
}

Value Expressions::eval_let(const Expr& expr, const Locals* locals) {
  const Locals* inside = locals;
  if (expr.kind == ExprKind::let_rec_in) {
    recursive(expr.bindings, locals, inside, std::nullopt);
  } else {
    for (Value& value : eval_bindings(expr.bindings, expr.place(), locals)) inside = push(std::move(value), inside);
  }
  return eval(*expr.operands[0], inside);
}

std::vector<Value> Expressions::recursive(const std::vector<Binding>& bindings, const Locals* locals,
                                          const Locals*& extended, std::optional<std::uint32_t> slot) {
  // One place per name, filled in as values become known. Those of global names are in globals_.
  std::vector<Locals*> places;
  extended = locals;
  if (!slot) {
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      places.push_back(push(make_value(ValueKind::unknown), extended));
      extended = places.back();
    }
  }
  std::vector<Value> values(bindings.size());
  auto set = [&](std::size_t i, const Value& value) {
    values[i] = value;
    (slot ? globals_[*slot + i] : places[i]->value) = value;
  };
  std::vector<std::size_t> relations;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const Binding& binding = bindings[i];
    if (binding.pattern.names.size() != 1) {
      const Value wrong = mistake({binding.value->source, binding.pattern.span},
                                  "a recursive definition defines one name, not a tuple");
      for (std::size_t k = 0; k < bindings.size(); ++k) set(k, wrong);
      return values;
    }
    if (binding.value->kind == ExprKind::function) {
      set(i, eval(*binding.value, extended));
    } else {
      relations.push_back(i);
      set(i, make_value(ValueKind::empty));
    }
  }
  if (relations.empty()) return values;

  // First with everything empty, to see which are sets and which are relations. A definition that depends only on
  // others may need another look once those are known.
  std::vector<bool> sets(relations.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < relations.size(); ++k) {
      if (values[relations[k]].kind != ValueKind::empty) continue;
      const Value trial = eval(*bindings[relations[k]].value, extended);
      sets[k] = trial.kind == ValueKind::set || trial.kind == ValueKind::event;
      const bool relation = trial.kind == ValueKind::relation || trial.kind == ValueKind::pair;
      if (!sets[k] && !relation) continue;
      set(relations[k], sets[k] ? set_value(graph_.empty_set()) : relation_value(graph_.empty_relation()));
      changed = true;
    }
  }
  const std::uint32_t group = checking_ ? 0 : graph_.open_fixpoint(sets);
  for (std::size_t k = 0; k < relations.size(); ++k) {
    const NodeId variable = checking_ ? kNoNode : graph_.fixpoint(group).variables[k];
    set(relations[k], make_node(sets[k] ? ValueKind::set : ValueKind::relation, variable));
  }
  if (!checking_) open_fixpoints_.push_back(group);
  std::vector<NodeId> definitions;
  std::vector<Value> results;
  for (std::size_t k = 0; k < relations.size(); ++k) {
    const Expr& definition = *bindings[relations[k]].value;
    const Value value = eval(definition, extended);
    results.push_back(sets[k] ? as_set(definition.place(), value) : as_relation(definition.place(), value));
    definitions.push_back(results.back().node);
  }
  if (!checking_) open_fixpoints_.pop_back();
  if (std::optional<Value> found = problem(results)) {
    for (std::size_t i : relations) set(i, *found);
    // The variables remain unused, but the group must be well formed.
    if (!checking_) graph_.close_fixpoint(group, graph_.fixpoint(group).variables);
    return values;
  }
  if (!checking_) {
    const std::vector<NodeId> nodes = graph_.close_fixpoint(group, std::move(definitions));
    for (std::size_t k = 0; k < relations.size(); ++k) {
      set(relations[k], make_node(sets[k] ? ValueKind::set : ValueKind::relation, nodes[k]));
    }
  }
  return values;
}

Value Expressions::eval_if(const Expr& expr, const Locals* locals) {
  const Value left = eval(*expr.operands[2], locals);
  const Value right = eval(*expr.operands[3], locals);
  if (std::optional<Value> found = problem({&left, &right})) return *found;
  if (checking_) {
    const Value yes = eval(*expr.operands[0], locals);
    const Value no = eval(*expr.operands[1], locals);
    return join(yes, no);
  }
  Value wrong;
  const std::optional<bool> holds_true = compare(expr, left, right, wrong);
  if (!holds_true) return wrong;
  return eval(*expr.operands[*holds_true ? 0 : 1], locals);
}

Value Expressions::eval_match_tag(const Expr& expr, const Locals* locals) {
  const Value subject = eval(*expr.operands[0], locals);
  if (std::optional<Value> found = problem({&subject})) return *found;
  if (subject.kind != ValueKind::tag && subject.kind != ValueKind::unknown) {
    return wrong_type(expr.operands[0]->place(), "a tag", subject);
  }
  if (checking_) {
    Value result = make_value(ValueKind::unknown);
    for (const Clause& clause : expr.clauses) result = join(result, eval(*clause.body, locals));
    return result;
  }
  for (const Clause& clause : expr.clauses) {
    if (!clause.tag || clause.tag->text == tag_names_[subject.index]) return eval(*clause.body, locals);
  }
  return mistake(expr.place(), fmt::format("the match has no clause for the tag '{}", tag_names_[subject.index]));
}

Value Expressions::eval_match_set(const Expr& expr, const Locals* locals) {
  Value subject = eval(*expr.operands[0], locals);
  if (std::optional<Value> found = problem({&subject})) return *found;
  const Place place = expr.operands[0]->place();
  const Shape shape = shape_of(subject);
  if (shape == Shape::other || subject.kind == ValueKind::tag || subject.kind == ValueKind::universe ||
      subject.kind == ValueKind::event || subject.kind == ValueKind::pair) {
    return wrong_type(place, "a set", subject);
  }
  Value element = make_value(ValueKind::unknown);
  Value rest = subject;
  Value before = make_value(ValueKind::empty);
  if (checking_) {
    if (shape == Shape::set) element.kind = ValueKind::event;
    if (shape == Shape::relation) element.kind = ValueKind::pair;
    if (subject.kind == ValueKind::orders) element = relation_value(kNoNode);
    if (subject.kind == ValueKind::values && !subject.data->items.empty()) element = subject.data->items.front();
    before = rest;
  } else {
    if (subject.kind == ValueKind::empty) return eval(*expr.operands[1], locals);
    if (subject.kind == ValueKind::orders) subject = materialise(place, subject);
    if (std::optional<Value> found = problem({&subject})) return *found;
    // With three names the element is from the middle, with two the first.
    const bool halves = expr.pattern.names.size() == 3;
    if (subject.kind == ValueKind::values) {
      const std::vector<Value>& items = subject.data->items;
      if (items.empty()) return eval(*expr.operands[1], locals);
      if (!spend(items.size() / kItemsPerStep)) return too_many_steps(place);
      const auto at = static_cast<std::ptrdiff_t>(halves ? items.size() / 2 : 0);
      element = items[static_cast<std::size_t>(at)];
      before = make_items(ValueKind::values, {items.begin(), items.begin() + at});
      rest = make_items(ValueKind::values, {items.begin() + at + 1, items.end()});
    } else if (graph_.is_empty(subject.node)) {
      return eval(*expr.operands[1], locals);
    } else if (std::optional<Value> found = unknowable(place, subject.node)) {
      return *found;
    } else if (subject.kind == ValueKind::set) {
      const EventSet events = known_->set(graph_, subject.node);
      if (events.empty()) return eval(*expr.operands[1], locals);
      EventSet lower(events.events());
      EventSet upper(events.events());
      std::size_t left = halves ? events.count() / 2 : 0;
      bool found_element = false;
      events.for_each([&](EventId event) {
        if (left > 0) {
          lower.insert(event);
          --left;
        } else if (!found_element) {
          element = make_event(event);
          found_element = true;
        } else {
          upper.insert(event);
        }
      });
      before = set_value(graph_.constant(std::move(lower)));
      rest = set_value(graph_.constant(std::move(upper)));
    } else {
      Relation pairs = known_->relation(graph_, subject.node);
      if (pairs.empty()) return eval(*expr.operands[1], locals);
      const auto pair = find_pair(pairs);
      element = make_value(ValueKind::pair);
      element.first = pair->first;
      element.second = pair->second;
      pairs.erase(pair->first, pair->second);
      before = relation_value(graph_.empty_relation());
      rest = relation_value(graph_.constant(std::move(pairs)));
    }
  }
  const Locals* inside = push(std::move(element), locals);
  inside = push(std::move(rest), inside);
  if (expr.pattern.names.size() == 3) inside = push(std::move(before), inside);
  if (!checking_) return eval(*expr.operands[2], inside);
  const Value on_empty = eval(*expr.operands[1], locals);
  const Value on_element = eval(*expr.operands[2], inside);
  return join(on_element, on_empty);
}

}  // namespace weakspot::model::cat

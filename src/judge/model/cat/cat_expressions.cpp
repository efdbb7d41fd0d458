// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "model/cat/cat_interpreter_state.h"

namespace weakspot::model::cat {
namespace {

// Recursion over the elements of a set takes three levels per element.
constexpr int kMaxDepth = 1200;
constexpr std::uint64_t kMaxSteps = 2'000'000;
constexpr std::uint64_t kMaxCheckingSteps = 300'000;
constexpr std::size_t kMaxNodes = 50'000;
constexpr std::size_t kMaxOperands = 5'000'000;

}  // namespace

bool Interpreter::spend(std::uint64_t steps) {
  const std::uint64_t most = checking_ ? kMaxCheckingSteps : kMaxSteps;
  steps_ = std::min(steps_ + steps, most + 1);
  return steps_ <= most && (known_ == nullptr || !known_->allowance().spend(steps));
}

// ---- expressions ----

Value Interpreter::eval(const Expr& expr, const Locals* locals) {
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

Value Interpreter::eval_inside(const Expr& expr, const Locals* locals) {
  switch (expr.kind) {
    case ExprKind::variable:
      return eval_variable(expr, locals);
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
      return eval_explicit_set(expr, locals);
    case ExprKind::tuple: {
      std::vector<Value> items;
      for (const ExprPtr& operand : expr.operands) items.push_back(eval(*operand, locals));
      return make_items(ValueKind::tuple, std::move(items));
    }
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
    case ExprKind::try_with: {
      const std::size_t before = mistakes_.size();
      Value value = eval(*expr.operands[0], locals);
      if (value.kind != ValueKind::mistake) return value;
      excused_.resize(mistakes_.size());
      std::fill(excused_.begin() + static_cast<std::ptrdiff_t>(before), excused_.end(), true);
      for (std::uint32_t number : value.data->mistakes) excused_[number] = true;
      return eval(*expr.operands[1], locals);
    }
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
      return eval_set_operation(expr, locals);
    case ExprKind::sequence:
      return eval_sequence(expr, locals);
    case ExprKind::product: {
      const Value from = as_set(expr.operands[0]->place(), eval(*expr.operands[0], locals));
      const Value to = as_set(expr.operands[1]->place(), eval(*expr.operands[1], locals));
      if (std::optional<Value> found = problem({&from, &to})) return *found;
      return relation_value(checking_ ? kNoNode : graph_.product(from.node, to.node));
    }
    case ExprKind::add:
      return eval_add(expr, locals);
    case ExprKind::identity_on:
    case ExprKind::closure:
    case ExprKind::star:
    case ExprKind::optional:
    case ExprKind::inverse:
    case ExprKind::complement:
      return eval_unary(expr, locals);
  }
  return make_value(ValueKind::unknown);
}

Value Interpreter::eval_variable(const Expr& expr, const Locals* locals) {
  return eval_reference(expr.reference, expr.name, expr.place(), locals);
}

Value Interpreter::eval_reference(Reference reference, const std::string& name, Place place, const Locals* locals) {
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

Value Interpreter::eval_predefined(const Predefined& name) {
  if (name.kind == PredefinedKind::function) {
    Value value = make_value(ValueKind::primitive);
    value.index = *find_predefined(name.name);
    return value;
  }
  const bool set = name.kind == PredefinedKind::set;
  if (checking_) return make_node(set ? ValueKind::set : ValueKind::relation, kNoNode);
  if (name.always_empty) return set ? set_value(graph_.empty_set()) : relation_value(graph_.empty_relation());
  switch (name.dynamic) {
    case Dynamic::reads_from:
      return relation_value(graph_.reads_from());
    case Dynamic::coherence:
      return relation_value(graph_.coherence());
    case Dynamic::sync_fence:
      return sync_fence();
    case Dynamic::none:
      break;
  }
  if (name.name == "id") return relation_value(graph_.identity());
  uses_locks_ = uses_locks_ || name.name == "LKW";
  return set ? set_value(graph_.base_set(name.index)) : relation_value(graph_.base_relation(name.index));
}

// The order in which sequentially consistent fences take effect, for pairs whose scopes include each other.
Value Interpreter::sync_fence() {
  if (sync_fence_) return *sync_fence_;
  const NodeId fences =
      graph_.intersect({graph_.base_set(predefined_index("F")), graph_.base_set(predefined_index("SC"))});
  const auto index = static_cast<std::uint32_t>(built_.choices.size());
  built_.choices.push_back({{OrderFactor{fences, graph_.empty_relation(), false}}, {}});
  built_.steps.push_back({Step::Kind::choice, index, kNoNode});
  const NodeId same_scope = graph_.base_relation(predefined_index("sr"));
  sync_fence_ = relation_value(graph_.intersect({graph_.choice(index), same_scope}));
  return *sync_fence_;
}

Value Interpreter::apply(Place place, const Value& function, const Value& argument) {
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

Value Interpreter::eval_let(const Expr& expr, const Locals* locals) {
  const Locals* inside = locals;
  if (expr.kind == ExprKind::let_rec_in) {
    recursive(expr.bindings, locals, inside, std::nullopt);
  } else {
    std::vector<Value> values;
    for (const Binding& binding : expr.bindings) {
      const Value value = eval(*binding.value, locals);
      for (Value& part : take_apart(binding.pattern, value, expr.place())) values.push_back(std::move(part));
    }
    for (Value& value : values) inside = push(std::move(value), inside);
  }
  return eval(*expr.operands[0], inside);
}

std::vector<Value> Interpreter::recursive(const std::vector<Binding>& bindings, const Locals* locals,
                                          const Locals*& extended, std::optional<std::uint32_t> slot) {
  // One place per name, filled in as values become known. Those of global names are in globals_.
  std::vector<Locals*> places;
  extended = locals;
  if (!slot) {
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      locals_.push_back({make_value(ValueKind::unknown), extended});
      places.push_back(&locals_.back());
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

std::optional<bool> Interpreter::compare(const Expr& expr, const Value& left, const Value& right, Value& problem_out) {
  auto fail = [&](Value value) -> std::optional<bool> {
    problem_out = std::move(value);
    return std::nullopt;
  };
  if (expr.kind == ExprKind::if_member && (right.kind == ValueKind::values || right.kind == ValueKind::empty)) {
    if (right.kind == ValueKind::empty) return false;
    return std::any_of(right.data->items.begin(), right.data->items.end(),
                       [&](const Value& item) { return same(left, item); });
  }
  if (left.kind == ValueKind::tag || left.kind == ValueKind::values || left.kind == ValueKind::tuple) {
    if (expr.kind != ExprKind::if_subset) return same(left, right);
    if (left.kind != ValueKind::values || right.kind != ValueKind::values) {
      return fail(mistake(expr.place(), "'subset' compares two sets of the same type"));
    }
    return std::all_of(left.data->items.begin(), left.data->items.end(), [&](const Value& item) {
      return std::any_of(right.data->items.begin(), right.data->items.end(),
                         [&](const Value& other) { return same(item, other); });
    });
  }
  const bool sets = shape_of(left) == Shape::set || shape_of(right) == Shape::set;
  const Value a = sets ? as_set(expr.operands[2]->place(), left) : as_relation(expr.operands[2]->place(), left);
  const Value b = sets ? as_set(expr.operands[3]->place(), right) : as_relation(expr.operands[3]->place(), right);
  if (std::optional<Value> found = problem({&a, &b})) return fail(*found);
  if (a.node == b.node) return true;
  // a <= b iff a \ b is empty.
  std::vector<NodeId> differences{graph_.subtract(a.node, b.node)};
  if (expr.kind == ExprKind::if_equal) differences.push_back(graph_.subtract(b.node, a.node));
  for (NodeId difference : differences) {
    if (graph_.is_empty(difference)) continue;
    if (std::optional<Value> found = unknowable(expr.place(), difference)) return fail(*found);
    if (!(sets ? known_->set(graph_, difference).empty() : known_->relation(graph_, difference).empty())) return false;
  }
  return true;
}

Value Interpreter::eval_if(const Expr& expr, const Locals* locals) {
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

Value Interpreter::eval_match_tag(const Expr& expr, const Locals* locals) {
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

Value Interpreter::eval_match_set(const Expr& expr, const Locals* locals) {
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
          element = event_value(event);
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

// SPDX-License-Identifier: MIT
#include "model/cat/cat_operators.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::model::cat {
namespace {

std::string_view symbol(ExprKind kind) {
  switch (kind) {
    case ExprKind::unite:
      return "|";
    case ExprKind::intersect:
      return "&";
    case ExprKind::subtract:
      return "\\";
    default:
      return "?";
  }
}

}  // namespace

// Only {} and _.
Value Operators::operation_on_open(const Expr& expr, const std::vector<Value>& values) const {
  auto is_universe = [](const Value& value) { return value.kind == ValueKind::universe; };
  bool universe = is_universe(values.front());
  for (std::size_t i = 1; i < values.size(); ++i) {
    const bool other = is_universe(values[i]);
    universe = expr.kind == ExprKind::unite       ? universe || other
               : expr.kind == ExprKind::intersect ? universe && other
                                                  : universe && !other;
  }
  return make_value(universe ? ValueKind::universe : ValueKind::empty);
}

Value Operators::operation_on_values(const Expr& expr, const std::vector<Value>& values) {
  if (checking_) return values.front().kind == ValueKind::empty ? values.back() : values.front();
  std::vector<std::vector<Value>> lists;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (value.kind == ValueKind::orders) value = materialise(expr.operands[i]->place(), value);
    if (std::optional<Value> found = problem({&value})) return *found;
    if (value.kind == ValueKind::universe) return mistake(expr.operands[i]->place(), "'_' is not a set of values");
    if (value.kind == ValueKind::tag) {
      lists.push_back({value});
    } else {
      lists.push_back(value.kind == ValueKind::empty ? std::vector<Value>{} : value.data->items);
    }
  }
  std::size_t copied = 0;
  for (const std::vector<Value>& list : lists) copied += list.size();
  if (!spend(copied / kItemsPerStep)) return too_many_steps(expr.place());
  auto has = [this](const std::vector<Value>& list, const Value& item) {
    return std::any_of(list.begin(), list.end(), [&](const Value& other) { return same(item, other); });
  };
  std::vector<Value> result = lists.front();
  for (std::size_t i = 1; i < lists.size(); ++i) {
    if (expr.kind == ExprKind::unite) {
      for (const Value& item : lists[i]) {
        if (!has(result, item)) result.push_back(item);
      }
    } else {
      const bool keep = expr.kind == ExprKind::intersect;
      std::erase_if(result, [&](const Value& item) { return has(lists[i], item) != keep; });
    }
  }
  return make_items(ValueKind::values, std::move(result));
}

Value Operators::set_operation(const Expr& expr, const std::vector<Value>& values) {
  if (std::optional<Value> found = problem(values)) return *found;

  Shape shape = Shape::open;
  bool unknown = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Shape own = shape_of(values[i]);
    if (own == Shape::other) return wrong_type(expr.operands[i]->place(), "a set or a relation", values[i]);
    unknown = unknown || values[i].kind == ValueKind::unknown;
    if (own == Shape::open) continue;
    if (shape != Shape::open && shape != own) {
      return mistake(expr.operands[i]->place(),
                     fmt::format("'{}' has {} on one side and {} on the other", symbol(expr.kind),
                                 describe(values[i - 1]), describe(values[i])));
    }
    shape = own;
  }
  if (unknown && shape == Shape::open) return make_value(ValueKind::unknown);

  if (shape == Shape::open) return operation_on_open(expr, values);
  if (shape == Shape::values) return operation_on_values(expr, values);
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Place place = expr.operands[i]->place();
    const Value value = shape == Shape::set ? as_set(place, values[i]) : as_relation(place, values[i]);
    nodes.push_back(value.node);
  }
  NodeId node = kNoNode;
  if (!checking_) {
    node = expr.kind == ExprKind::unite       ? graph_.unite(nodes)
           : expr.kind == ExprKind::intersect ? graph_.intersect(nodes)
                                              : graph_.subtract(nodes[0], nodes[1]);
  }
  return make_node(shape == Shape::set ? ValueKind::set : ValueKind::relation, node);
}

Value Operators::sequence(const std::vector<Value>& relations) {
  if (std::optional<Value> found = problem(relations)) return *found;
  std::vector<NodeId> nodes;
  for (const Value& relation : relations) nodes.push_back(relation.node);
  return relation_value(checking_ ? kNoNode : graph_.sequence(nodes));
}

Value Operators::product(const Value& from, const Value& to) {
  if (std::optional<Value> found = problem({&from, &to})) return *found;
  return relation_value(checking_ ? kNoNode : graph_.product(from.node, to.node));
}

Value Operators::complement(const Expr& expr, const Value& value) {
  switch (value.kind) {
    case ValueKind::unknown:
    case ValueKind::mistake:
    case ValueKind::later:
      return value;
    case ValueKind::empty:
      return make_value(ValueKind::universe);
    case ValueKind::universe:
      return make_value(ValueKind::empty);
    case ValueKind::set:
    case ValueKind::relation:
      return make_node(value.kind, checking_ ? kNoNode : graph_.complement(value.node));
    default:
      return wrong_type(expr.operands[0]->place(), "a set or a relation", value);
  }
}

Value Operators::unary(const Expr& expr, const Value& value) {
  if (expr.kind == ExprKind::complement) return complement(expr, value);
  const Place place = expr.operands[0]->place();
  if (expr.kind == ExprKind::identity_on) {
    const Value set = as_set(place, value);
    if (std::optional<Value> found = problem({&set})) return *found;
    return relation_value(checking_ ? kNoNode : graph_.identity_on(set.node));
  }
  if (expr.kind == ExprKind::inverse && value.kind == ValueKind::pair) {
    Value pair = value;
    std::swap(pair.first, pair.second);
    return pair;
  }
  const Value relation = as_relation(place, value);
  if (std::optional<Value> found = problem({&relation})) return *found;
  if (checking_) return relation_value(kNoNode);
  switch (expr.kind) {
    case ExprKind::closure:
      return relation_value(graph_.closure(relation.node));
    case ExprKind::star:
      return relation_value(graph_.star(relation.node));
    case ExprKind::optional:
      return relation_value(graph_.optional(relation.node));
    default:
      return relation_value(graph_.inverse(relation.node));
  }
}

Value Operators::add(const Expr& expr, const std::vector<Value>& values) {
  const Value& element = values[0];
  const Value& set = values[1];
  if (std::optional<Value> found = problem({&element, &set})) return *found;
  const Place place = expr.operands[1]->place();
  if (element.kind == ValueKind::unknown || set.kind == ValueKind::unknown) {
    if (element.kind == ValueKind::event) return set_value(kNoNode);
    if (element.kind == ValueKind::pair) return relation_value(kNoNode);
    return set.kind == ValueKind::unknown || set.kind == ValueKind::empty ? make_value(ValueKind::unknown) : set;
  }
  if (element.kind == ValueKind::universe) return wrong_type(expr.operands[0]->place(), "an element", element);
  Value single = element;
  const bool tuple_pair = element.kind == ValueKind::tuple && element.data->items.size() == 2 &&
                          element.data->items[0].kind == ValueKind::event &&
                          element.data->items[1].kind == ValueKind::event;
  if (tuple_pair && set.kind == ValueKind::relation) {
    single = make_value(ValueKind::pair);
    single.first = element.data->items[0].first;
    single.second = element.data->items[1].first;
  }
  if (single.kind == ValueKind::event || single.kind == ValueKind::pair) {
    const bool is_event = single.kind == ValueKind::event;
    const Value rest = is_event ? as_set(place, set) : as_relation(place, set);
    const Value added = is_event ? as_set(place, single) : as_relation(place, single);
    if (std::optional<Value> found = problem({&rest, &added})) return *found;
    return make_node(rest.kind, checking_ ? kNoNode : graph_.unite({rest.node, added.node}));
  }
  std::vector<Value> items;
  if (set.kind == ValueKind::values) {
    items = set.data->items;
  } else if (set.kind == ValueKind::set || set.kind == ValueKind::relation) {
    return wrong_type(expr.operands[0]->place(), set.kind == ValueKind::set ? "an event" : "a pair of events", element);
  } else if (set.kind != ValueKind::empty) {
    return wrong_type(place, "a set", set);
  }
  if (checking_) return make_items(ValueKind::values, {element});
  if (!spend(items.size() / kItemsPerStep)) return too_many_steps(place);
  if (std::none_of(items.begin(), items.end(), [&](const Value& item) { return same(item, element); })) {
    items.insert(items.begin(), element);
  }
  return make_items(ValueKind::values, std::move(items));
}

Value Operators::explicit_set(const Expr& expr, std::vector<Value> items) {
  if (items.empty()) return make_value(ValueKind::empty);
  if (std::optional<Value> found = problem(items)) return *found;
  const ValueKind kind = items.front().kind;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].kind == ValueKind::universe) return wrong_type(expr.operands[i]->place(), "an element", items[i]);
    if (items[i].kind != kind && items[i].kind != ValueKind::unknown && kind != ValueKind::unknown) {
      return wrong_type(expr.operands[i]->place(), describe(items.front()), items[i]);
    }
  }
  if (kind == ValueKind::event || kind == ValueKind::pair) {
    std::vector<NodeId> nodes;
    for (const Value& item : items) {
      nodes.push_back((kind == ValueKind::event ? as_set(expr.place(), item) : as_relation(expr.place(), item)).node);
    }
    return make_node(kind == ValueKind::event ? ValueKind::set : ValueKind::relation,
                     checking_ ? kNoNode : graph_.unite(nodes));
  }
  return make_items(ValueKind::values, std::move(items));
}

std::optional<bool> Operators::compare(const Expr& expr, const Value& left, const Value& right, Value& problem_out) {
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

}  // namespace weakspot::model::cat

// SPDX-License-Identifier: MIT
#include "model/cat/cat_primitives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "model/execution/orders.h"

namespace weakspot::model::cat {
namespace {

constexpr std::size_t kMaxItems = 20'000;

const Predefined* predefined_as(std::string name, PredefinedKind kind) {
  const auto index = find_predefined(name);
  if (!index || predefined(*index).kind != kind) return nullptr;
  return &predefined(*index);
}

std::string upper(std::string text) {
  for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Value Primitives::eval_predefined(const Predefined& name) {
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
Value Primitives::sync_fence() {
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

Value Primitives::call(Place place, Primitive primitive, std::string_view name, const Value& argument) {
  if (primitive == Primitive::unsupported) {
    return mistake(place, fmt::format("'{}' is not supported", name));
  }
  // Fails when it is reached, not when types are checked.
  if (primitive == Primitive::fail && !checking_) return mistake(place, "'fail' was called");
  if (std::optional<Value> found = problem({&argument})) return *found;
  switch (primitive) {
    case Primitive::domain:
    case Primitive::range: {
      if (argument.kind == ValueKind::empty || argument.kind == ValueKind::universe) return argument;
      const Value relation = as_relation(place, argument);
      if (std::optional<Value> found = problem({&relation})) return *found;
      if (checking_) return set_value(kNoNode);
      return set_value(primitive == Primitive::domain ? graph_.domain(relation.node) : graph_.range(relation.node));
    }
    case Primitive::linearisations:
      return orders(place, name, argument, false);
    case Primitive::generate_orders:
      return orders(place, name, argument, true);
    case Primitive::generate_cos:
      return coherence_orders(place, argument, ValueData::Orders::coherence);
    case Primitive::generate_partial_cos:
      return coherence_orders(place, argument, ValueData::Orders::partial_coherence);
    case Primitive::cross:
      return cross(place, argument);
    case Primitive::partition:
      return partition(place, argument);
    case Primitive::classes:
      return classes(place, argument);
    case Primitive::tag2scope:
      return tag_to_scope(place, argument);
    case Primitive::tag2events:
      return tag_to_events(place, argument);
    case Primitive::tag2fenced:
    case Primitive::from_to: {
      const Value fences = primitive == Primitive::from_to ? as_set(place, argument) : tag_to_events(place, argument);
      if (std::optional<Value> found = problem({&fences})) return *found;
      if (checking_) return relation_value(kNoNode);
      const NodeId po = graph_.base_relation(predefined_index("po"));
      return relation_value(graph_.sequence({po, graph_.identity_on(fences.node), po}));
    }
    case Primitive::nothing:
      return make_value(ValueKind::empty);
    case Primitive::different_values:
    case Primitive::as_transitive: {
      const Value relation = as_relation(place, argument);
      if (checking_ || problem({&relation})) return relation;
      return relation_value(primitive == Primitive::as_transitive ? graph_.closure(relation.node)
                                                                  : graph_.different_values(relation.node));
    }
    case Primitive::fail:
    case Primitive::unsupported:
      break;
  }
  return make_value(ValueKind::unknown);
}

// Subsets of W by the way they are written.
bool Primitives::within_writes(NodeId set) const {
  const Node& node = graph_[set];
  auto is_base = [&](std::string_view name) {
    return node.op == Op::base_set && node.a == predefined(*find_predefined(name)).index;
  };
  switch (node.op) {
    case Op::empty_set:
      return true;
    case Op::base_set:
      return is_base("W") || is_base("IW") || is_base("I");
    case Op::subtract_sets:
      return within_writes(node.a);
    case Op::intersect_sets: {
      const auto operands = graph_.operands(node);
      return std::any_of(operands.begin(), operands.end(), [&](NodeId id) { return within_writes(id); });
    }
    case Op::unite_sets: {
      const auto operands = graph_.operands(node);
      return std::all_of(operands.begin(), operands.end(), [&](NodeId id) { return within_writes(id); });
    }
    default:
      return false;
  }
}

Value Primitives::orders(Place place, std::string_view name, const Value& argument, bool per_location) {
  Value result = make_value(ValueKind::orders);
  if (argument.kind == ValueKind::unknown) {
    result.data = std::make_shared<ValueData>();
    return result;
  }
  if (argument.kind != ValueKind::tuple || argument.data->items.size() != 2) {
    return mistake(place, fmt::format("'{}' takes a set of events and a relation", name));
  }
  const Value set = as_set(place, argument.data->items[0]);
  const Value contains = as_relation(place, argument.data->items[1]);
  if (std::optional<Value> found = problem({&set, &contains})) return *found;
  auto data = std::make_shared<ValueData>();
  data->factors.push_back({set.node, contains.node, per_location});
  // An order of the writes of each location: the engine's coherence order is one.
  if (!checking_ && per_location && within_writes(set.node)) data->orders = ValueData::Orders::coherence;
  result.data = std::move(data);
  return result;
}

Value Primitives::coherence_orders(Place place, const Value& argument, ValueData::Orders kind) {
  const Value contains = as_relation(place, argument);
  if (std::optional<Value> found = problem({&contains})) return *found;
  auto data = std::make_shared<ValueData>();
  data->orders = kind;
  data->factors.push_back({graph_.base_set(predefined_index("W")), contains.node, true});
  Value result = make_value(ValueKind::orders);
  result.data = std::move(data);
  return result;
}

Value Primitives::cross(Place place, const Value& argument) {
  if (checking_ || argument.kind == ValueKind::unknown) {
    if (argument.kind != ValueKind::values && argument.kind != ValueKind::empty &&
        argument.kind != ValueKind::unknown) {
      return wrong_type(place, "a set of sets of relations", argument);
    }
    return make_items(ValueKind::values, {relation_value(kNoNode)});
  }
  const std::vector<Value> none;
  const std::vector<Value>& items = argument.kind == ValueKind::values ? argument.data->items : none;
  const bool symbolic = !items.empty() && std::all_of(items.begin(), items.end(), [](const Value& item) {
    return item.kind == ValueKind::orders && item.data->orders == ValueData::Orders::chosen;
  });
  if (symbolic) {
    auto data = std::make_shared<ValueData>();
    for (const Value& item : items) {
      data->factors.insert(data->factors.end(), item.data->factors.begin(), item.data->factors.end());
    }
    Value result = make_value(ValueKind::orders);
    result.data = std::move(data);
    return result;
  }
  std::vector<NodeId> products{graph_.empty_relation()};
  for (const Value& item : items) {
    Value list = item;
    if (list.kind == ValueKind::orders) list = materialise(place, list);
    if (std::optional<Value> found = problem({&list})) return *found;
    if (list.kind == ValueKind::empty) return list;
    if (list.kind != ValueKind::values) return wrong_type(place, "a set of sets of relations", list);
    std::vector<NodeId> next;
    for (NodeId product : products) {
      for (const Value& choice : list.data->items) {
        const Value relation = as_relation(place, choice);
        if (std::optional<Value> found = problem({&relation})) return *found;
        if (next.size() == kMaxItems) return mistake(place, "'cross' has too many combinations");
        if (!spend(1)) return too_many_steps(place);
        next.push_back(graph_.unite({product, relation.node}));
      }
    }
    products = std::move(next);
  }
  std::vector<Value> values;
  for (NodeId product : products) values.push_back(relation_value(product));
  return make_items(ValueKind::values, std::move(values));
}

Value Primitives::partition(Place place, const Value& argument) {
  const Value set = as_set(place, argument);
  if (std::optional<Value> found = problem({&set})) return *found;
  if (checking_) return make_items(ValueKind::values, {set_value(kNoNode)});
  if (set.node == graph_.empty_set()) return make_items(ValueKind::values, {});
  if (std::optional<Value> found = unknowable(place, set.node)) return *found;
  std::vector<Value> values;
  for (EventSet& part : by_location(known_->set(graph_, set.node), known_->frame())) {
    values.push_back(set_value(graph_.constant(std::move(part))));
  }
  return make_items(ValueKind::values, std::move(values));
}

Value Primitives::classes(Place place, const Value& argument) {
  const Value relation = as_relation(place, argument);
  if (std::optional<Value> found = problem({&relation})) return *found;
  if (checking_) return make_items(ValueKind::values, {set_value(kNoNode)});
  if (relation.node == graph_.empty_relation()) return make_items(ValueKind::values, {});
  if (std::optional<Value> found = unknowable(place, relation.node)) return *found;
  const Relation pairs = known_->relation(graph_, relation.node);
  EventSet left = pairs.domain();
  std::vector<Value> values;
  for (EventId event = 0; event < pairs.events(); ++event) {
    if (!left.has(event)) continue;
    EventSet members = pairs.successors(event);
    left -= members;
    values.push_back(set_value(graph_.constant(std::move(members))));
  }
  return make_items(ValueKind::values, std::move(values));
}

Value Primitives::tag_to_scope(Place place, const Value& argument) {
  if (argument.kind != ValueKind::tag && argument.kind != ValueKind::unknown)
    return wrong_type(place, "a tag", argument);
  if (checking_) return relation_value(kNoNode);
  const std::string& tag = tag_names_[argument.index];
  if (const Predefined* scope = predefined_as(tag, PredefinedKind::relation)) return eval_predefined(*scope);
  return mistake(place, fmt::format("there is no scope '{}'", tag));
}

Value Primitives::tag_to_events(Place place, const Value& argument) {
  if (argument.kind != ValueKind::tag && argument.kind != ValueKind::unknown)
    return wrong_type(place, "a tag", argument);
  if (checking_) return set_value(kNoNode);
  const std::string& tag = tag_names_[argument.index];
  std::string capital = tag;
  capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
  for (const std::string& name : {upper(tag), capital, tag}) {
    if (const Predefined* events = predefined_as(name, PredefinedKind::set)) return eval_predefined(*events);
  }
  return set_value(graph_.empty_set());
}

Value Primitives::materialise(Place place, const Value& orders) {
  for (const OrderFactor& factor : orders.data->factors) {
    for (NodeId node : {factor.set, factor.contains}) {
      if (std::optional<Value> found = unknowable(place, node)) return *found;
    }
  }
  std::vector<Value> values;
  if (known_ == nullptr) return make_later(kFrame);
  Allowance& allowance = known_->allowance();
  Relation order(known_->frame().size());
  bool too_many = false;
  // One factor after the other, per location where asked for.
  std::vector<std::pair<EventSet, Relation>> parts;
  for (const OrderFactor& factor : orders.data->factors) {
    const EventSet set = known_->set(graph_, factor.set);
    const Relation contains = known_->relation(graph_, factor.contains);
    if (!factor.per_location) {
      parts.emplace_back(set, contains);
      continue;
    }
    for (EventSet& part : by_location(set, known_->frame())) parts.emplace_back(std::move(part), contains);
  }
  std::function<bool(std::size_t)> extend = [&](std::size_t i) -> bool {
    if (i == parts.size()) {
      too_many = values.size() == kMaxItems;
      const bool fits = allowance.holds((values.size() + 1) * order.word_count() * sizeof(std::uint64_t));
      if (!too_many && fits) values.push_back(relation_value(graph_.constant(order)));
      return too_many || !fits;
    }
    return for_each_order(parts[i].first, parts[i].second, order, allowance, [&] { return extend(i + 1); });
  };
  extend(0);
  if (too_many) return mistake(place, "there are too many orders to list");
  return make_items(ValueKind::values, std::move(values));
}

}  // namespace weakspot::model::cat

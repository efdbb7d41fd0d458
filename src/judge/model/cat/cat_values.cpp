// SPDX-License-Identifier: MIT
#include "model/cat/cat_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/cat/predefined.h"

namespace weakspot::model::cat {
namespace {

constexpr std::uint64_t kMaxSteps = 2'000'000;
constexpr std::uint64_t kMaxCheckingSteps = 300'000;

}  // namespace

Shape shape_of(const Value& value) {
  switch (value.kind) {
    case ValueKind::set:
    case ValueKind::event:
      return Shape::set;
    case ValueKind::relation:
    case ValueKind::pair:
      return Shape::relation;
    case ValueKind::values:
    case ValueKind::tag:
    case ValueKind::orders:
      return Shape::values;
    case ValueKind::empty:
    case ValueKind::universe:
    case ValueKind::unknown:
      return Shape::open;
    default:
      return Shape::other;
  }
}

std::string_view describe(const Value& value) {
  switch (value.kind) {
    case ValueKind::empty:
      return "the empty set";
    case ValueKind::universe:
      return "'_'";
    case ValueKind::set:
      return "a set of events";
    case ValueKind::relation:
      return "a relation";
    case ValueKind::event:
      return "an event";
    case ValueKind::pair:
      return "a pair of events";
    case ValueKind::tag:
      return "a tag";
    case ValueKind::values:
      return !value.data->items.empty() && value.data->items.front().kind == ValueKind::tag ? "a set of tags"
                                                                                            : "a set of values";
    case ValueKind::orders:
      return "a set of orders";
    case ValueKind::tuple:
      return "a tuple";
    case ValueKind::function:
    case ValueKind::primitive:
      return "a function";
    case ValueKind::procedure:
      return "a procedure";
    case ValueKind::mistake:
    case ValueKind::later:
    case ValueKind::unknown:
      break;
  }
  return "something unknown";
}

Values::Values(KnownNodes* known, bool checking, Graph::Form form) : known_(known), checking_(checking), graph_(form) {
  graph_.set_reads(graph_.base_set(predefined_index("R")));
}

bool Values::spend(std::uint64_t steps) {
  const std::uint64_t most = checking_ ? kMaxCheckingSteps : kMaxSteps;
  steps_ = std::min(steps_ + steps, most + 1);
  return steps_ <= most && (known_ == nullptr || !known_->allowance().spend(steps));
}

Value Values::mistake(Place place, std::string message) {
  auto data = std::make_shared<ValueData>();
  data->mistakes.push_back(static_cast<std::uint32_t>(mistakes_.size()));
  mistakes_.push_back(base::error_at(*place.source, place.span, std::move(message)));
  Value value = make_value(ValueKind::mistake);
  value.data = std::move(data);
  return value;
}

Value Values::wrong_type(Place place, std::string_view expected, const Value& found) {
  return mistake(place, fmt::format("expected {}, found {}", expected, describe(found)));
}

void Values::excuse(std::size_t before) {
  excused_.resize(mistakes_.size());
  std::fill(excused_.begin() + static_cast<std::ptrdiff_t>(before), excused_.end(), true);
}

std::optional<Value> Values::problem(std::initializer_list<const Value*> values) {
  std::optional<Value> result;
  for (const Value* value : values) {
    if (value->kind == ValueKind::mistake) {
      if (!result || result->kind != ValueKind::mistake) {
        result = *value;
      } else {
        auto both = std::make_shared<ValueData>(*result->data);
        both->mistakes.insert(both->mistakes.end(), value->data->mistakes.begin(), value->data->mistakes.end());
        if (both->mistakes.size() > 20) both->mistakes.resize(20);
        result->data = std::move(both);
      }
    } else if (value->kind == ValueKind::later &&
               (!result || (result->kind == ValueKind::later && result->level < value->level))) {
      result = *value;
    }
  }
  return result;
}

std::optional<Value> Values::problem(const std::vector<Value>& values) {
  std::optional<Value> result;
  for (const Value& value : values) {
    if (value.kind != ValueKind::mistake && value.kind != ValueKind::later) continue;
    result = result ? problem({&*result, &value}) : value;
  }
  return result;
}

std::optional<Value> Values::unknowable(Place place, NodeId node) {
  const Level needed = std::max(graph_[node].level, kFrame);
  for (std::uint32_t group : open_fixpoints_) {
    if (graph_.reaching(group)[node]) {
      return mistake(place, "a recursive definition cannot take its own value apart");
    }
  }
  if (needed >= kFirstChoice) return mistake(place, "a value that depends on a 'with' cannot be taken apart");
  if (known_ == nullptr || known_->level() < needed) return make_later(needed);
  return std::nullopt;
}

Value Values::as_set(Place place, const Value& value) {
  switch (value.kind) {
    case ValueKind::set:
    case ValueKind::mistake:
    case ValueKind::later:
      return value;
    case ValueKind::unknown:
      return set_value(kNoNode);
    case ValueKind::empty:
      return set_value(graph_.empty_set());
    case ValueKind::universe:
      return set_value(graph_.all());
    case ValueKind::event: {
      if (checking_) return set_value(kNoNode);
      EventSet single(known_->frame().size());
      single.insert(value.first);
      return set_value(graph_.constant(std::move(single)));
    }
    default:
      return wrong_type(place, "a set of events", value);
  }
}

Value Values::as_relation(Place place, const Value& value) {
  switch (value.kind) {
    case ValueKind::relation:
    case ValueKind::mistake:
    case ValueKind::later:
      return value;
    case ValueKind::unknown:
      return relation_value(kNoNode);
    case ValueKind::empty:
      return relation_value(graph_.empty_relation());
    case ValueKind::universe:
      return relation_value(graph_.universe());
    case ValueKind::pair: {
      if (checking_) return relation_value(kNoNode);
      Relation single(known_->frame().size());
      single.insert(value.first, value.second);
      return relation_value(graph_.constant(std::move(single)));
    }
    default:
      return wrong_type(place, "a relation", value);
  }
}

Value Values::join(const Value& a, const Value& b) {
  if (std::optional<Value> found = problem({&a, &b})) return *found;
  if (a.kind == ValueKind::unknown || a.kind == ValueKind::empty || a.kind == ValueKind::universe) return b;
  if (a.kind == ValueKind::values && a.data->items.empty() && b.kind == ValueKind::values) return b;
  return a;
}

bool Values::same(const Value& a, const Value& b) {
  // Values with common parts, compared part by part, take time without end. After too many steps the model is a mistake
  // whatever this says.
  if (++compared_ % kItemsPerStep == 0 && !spend(1)) return false;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::set:
    case ValueKind::relation:
      return a.node == b.node;
    case ValueKind::event:
      return a.first == b.first;
    case ValueKind::pair:
      return a.first == b.first && a.second == b.second;
    case ValueKind::tag:
      return a.index == b.index;
    case ValueKind::tuple:
    case ValueKind::values:
      return a.data->items.size() == b.data->items.size() &&
             std::equal(a.data->items.begin(), a.data->items.end(), b.data->items.begin(),
                        [this](const Value& x, const Value& y) { return same(x, y); });
    default:
      return a.data == b.data;
  }
}

std::vector<Value> Values::take_apart(const Pattern& pattern, const Value& value, Place place) {
  const std::size_t count = pattern.names.size();
  if (count == 1 && !pattern.tuple) return {value};
  if (value.kind == ValueKind::mistake || value.kind == ValueKind::later || value.kind == ValueKind::unknown) {
    return std::vector<Value>(count, value);
  }
  const std::size_t found = value.kind == ValueKind::tuple ? value.data->items.size() : 1;
  if (found == count && value.kind == ValueKind::tuple) return value.data->items;
  if (found == 1 && count == 1) return {value};
  const Value wrong = mistake(place, fmt::format("expected {} values, found {}", count, found));
  return std::vector<Value>(count, wrong);
}

}  // namespace weakspot::model::cat

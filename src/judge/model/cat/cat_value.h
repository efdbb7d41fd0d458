// SPDX-License-Identifier: MIT
// The values of cat expressions while a model is built: nodes of the graph, and values that exist only until then
// (functions, tuples, tags, sets of relations).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/cat/cat_ast.h"
#include "model/cat/predefined.h"
#include "model/relation/graph.h"

namespace weakspot::model::cat {

enum class ValueKind : std::uint8_t {
  mistake,   // the mistakes made on the way; passes through every operation
  later,     // waits for the frame, or for the candidate
  unknown,   // anything; only when types are checked
  empty,     // {} of any type
  universe,  // _ of any type
  set,       // a set of events
  relation,
  event,
  pair,  // a pair of events
  tag,
  values,  // a set of values other than events and pairs
  orders,  // a set of orders that is not listed
  tuple,
  function,
  primitive,
  procedure,
};

struct ValueData;

struct Value {
  ValueKind kind = ValueKind::unknown;
  NodeId node = kNoNode;  // set, relation
  EventId first = 0;      // event, pair
  EventId second = 0;
  Level level = kConstant;  // later
  std::uint32_t index = 0;  // tag; primitive
  std::shared_ptr<const ValueData> data;
};

// The local definitions in force, innermost first. Owned by the interpreter. Never changed once visible, except to tie
// the knot of a recursive definition.
struct Locals {
  Value value;
  const Locals* outer = nullptr;
};

// Linear orders of a set that contain a relation (where both ends are in the set), of the whole set or per location.
struct OrderFactor {
  NodeId set = kNoNode;
  NodeId contains = kNoNode;
  bool per_location = false;
};

struct ValueData {
  std::vector<Value> items;  // values, tuple
  const Expr* function = nullptr;
  const Statement* procedure = nullptr;
  const Locals* locals = nullptr;       // function, procedure
  std::vector<std::uint32_t> mistakes;  // mistake: which
  enum class Orders : std::uint8_t { chosen, coherence, partial_coherence };
  Orders orders = Orders::chosen;
  std::vector<OrderFactor> factors;  // orders: one order of each, united
};

inline Value make_value(ValueKind kind) {
  Value value;
  value.kind = kind;
  return value;
}
inline Value make_node(ValueKind kind, NodeId node) {
  Value value;
  value.kind = kind;
  value.node = node;
  return value;
}
inline Value make_event(EventId event) {
  Value value = make_value(ValueKind::event);
  value.first = event;
  return value;
}
// Waits until what has this level is known.
inline Value make_later(Level level) {
  Value value = make_value(ValueKind::later);
  value.level = level;
  return value;
}
inline Value make_items(ValueKind kind, std::vector<Value> items) {
  Value value;
  value.kind = kind;
  auto data = std::make_shared<ValueData>();
  data->items = std::move(items);
  value.data = std::move(data);
  return value;
}

// The type that an operand of | & \ gives the result. {} and _ leave it open.
enum class Shape : std::uint8_t { open, set, relation, values, other };
Shape shape_of(const Value& value);

// "a set of events", "a function": for messages.
std::string_view describe(const Value& value);

}  // namespace weakspot::model::cat

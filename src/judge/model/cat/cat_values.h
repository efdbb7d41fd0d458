// SPDX-License-Identifier: MIT
// The values of a model while it is interpreted: made, checked, coerced, compared. They share a graph, the mistakes
// made so far, and a limit on the steps.
//
// The interpreter is built in layers, each of which knows only those below it: Values, Primitives (predefined names and
// functions), Operators, Expressions, and Interpreter (statements).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "model/cat/cat_interpreter.h"
#include "model/cat/cat_value.h"
#include "model/relation/graph.h"

namespace weakspot::model::cat {

// Copying or comparing so many values takes about as long as a step.
inline constexpr std::size_t kItemsPerStep = 16;

class Values {
 protected:
  Values(KnownNodes* known, bool checking, Graph::Form form);

  // Counts work; false if the model has taken too much, and must get no further.
  bool spend(std::uint64_t steps);
  Value too_many_steps(Place place) { return mistake(place, "the model takes too many steps to evaluate"); }

  Value mistake(Place place, std::string message);
  Value wrong_type(Place place, std::string_view expected, const Value& found);
  // Mistakes made since there were `before` of them are not worth a warning.
  void excuse(std::size_t before);
  // A mistake or a wait among the values, if there is one. An operation on them then gives the same.
  static std::optional<Value> problem(std::initializer_list<const Value*> values);
  static std::optional<Value> problem(const std::vector<Value>& values);
  // If the node's value is not known yet, the value to return instead; none if it is known.
  std::optional<Value> unknowable(Place place, NodeId node);

  // Coercions; a problem comes back as a value of kind mistake or later.
  Value as_set(Place place, const Value& value);
  Value as_relation(Place place, const Value& value);
  Value set_value(NodeId node) const { return make_node(ValueKind::set, checking_ ? kNoNode : node); }
  Value relation_value(NodeId node) const { return make_node(ValueKind::relation, checking_ ? kNoNode : node); }
  static Value join(const Value& a, const Value& b);  // the type of either
  bool same(const Value& a, const Value& b);
  // Takes a value apart by a pattern: the values of the pattern's names, in order.
  std::vector<Value> take_apart(const Pattern& pattern, const Value& value, Place place);

  KnownNodes* const known_;
  const bool checking_;
  Graph graph_;
  std::vector<base::Diagnostic> mistakes_;     // by number, whether they count or not
  std::vector<bool> excused_;                  // under a `try` or a `show`
  std::map<std::string, std::uint32_t> tags_;  // name to number
  std::vector<std::string> tag_names_;
  std::vector<std::uint32_t> open_fixpoints_;

 private:
  std::uint64_t steps_ = 0;
  std::uint64_t compared_ = 0;
};

}  // namespace weakspot::model::cat

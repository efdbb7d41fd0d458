// SPDX-License-Identifier: MIT
// The predefined names of cat: sets and relations of the graph, and functions.
#pragma once

#include <optional>
#include <string_view>

#include "model/cat/cat_values.h"
#include "model/cat/predefined.h"

namespace weakspot::model::cat {

class Primitives : public Values {
 protected:
  using Values::Values;

  Value eval_predefined(const Predefined& name);
  Value call(Place place, Primitive primitive, std::string_view name, const Value& argument);
  // The list of all orders.
  Value materialise(Place place, const Value& orders);

  Built built_;
  bool uses_locks_ = false;

 private:
  Value sync_fence();
  Value orders(Place place, std::string_view name, const Value& argument, bool per_location);
  Value coherence_orders(Place place, const Value& argument, ValueData::Orders kind);
  Value cross(Place place, const Value& argument);
  Value partition(Place place, const Value& argument);
  Value classes(Place place, const Value& argument);
  Value tag_to_scope(Place place, const Value& argument);
  Value tag_to_events(Place place, const Value& argument);
  bool within_writes(NodeId set) const;

  std::optional<Value> sync_fence_;
};

}  // namespace weakspot::model::cat

// Linear extensions, one after the other.
#pragma once

#include <functional>
#include <vector>

#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// Calls `visit(order)` with every strict total order of `events` that contains the pairs of `contains` within them
// (none if those form a cycle); `order` is set to each in turn, added to what it held before. Stops, and returns true,
// when a visit returns true. `order` is as before afterwards.
bool for_each_order(const EventSet& events, const Relation& contains, Relation& order,
                    const std::function<bool()>& visit);

// The events of `set` by physical location; events without one are left out.
std::vector<EventSet> by_location(const EventSet& set, const Frame& frame);

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// Linear extensions, one after the other.
#pragma once

#include <functional>
#include <vector>

#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// Calls visit() for every strict total order of `events` that contains the pairs of `contains` between them (no order
// if those form a cycle). Each in turn is added to `order`, which is unchanged in the end. Stops, and returns true,
// when a visit returns true or the allowance is used up.
bool for_each_order(const EventSet& events, const Relation& contains, Relation& order, Allowance& allowance,
                    const std::function<bool()>& visit);

// The events of `set` by physical location; events without one are left out.
std::vector<EventSet> by_location(const EventSet& set, const Frame& frame);

}  // namespace weakspot::model

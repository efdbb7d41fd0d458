// SPDX-License-Identifier: MIT
// The arrows of an execution's picture.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/picture.h"
#include "model/reason.h"

namespace weakspot::model::picture {

struct Arrow {
  EventId from = 0, to = 0;
  std::string label;
  PictureArrow::Tone tone = PictureArrow::Tone::order;
  bool both_ways = false;
};
using Arrows = std::vector<Arrow>;

// The loud part of a picture.
struct Emphasis {
  Reason reason;                                    // for a forbidden execution
  std::optional<std::pair<EventId, EventId>> race;  // for an allowed one: two accesses that nothing orders
};

// Program order, dependencies, rf and co as far as nothing else implies them, fr where no cycle says more, what the
// model calls synchronisation, and the steps of the reason, down to their base edges, or a race. Initial writes take
// part where something reads from them or a step touches them. One arrow has all labels that lead from one event to
// another.
Arrows arrows_of(const Witness& witness, const Model& model, const Emphasis& emphasis, const Limits& limits);

}  // namespace weakspot::model::picture

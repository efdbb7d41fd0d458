// SPDX-License-Identifier: MIT
// The order in which the nodes of a model are computed, as far as the text of the model decides it.
//
// Checks come in the order of the text, flags last. A node is computed just before the first check that needs it, but
// outside the loops of choices that it does not depend on.
#pragma once

#include <cstdint>
#include <vector>

#include "model/cat/cat_interpreter.h"

namespace weakspot::model {

struct ScheduleItem {
  enum class Kind : std::uint8_t { node, fixpoint, check, choice, bound, ordered };
  Kind kind = Kind::node;
  std::uint32_t index = 0;  // the node, the fixpoint's group, or the step; a bound is a check of its `below`
};

struct Schedule {
  std::vector<ScheduleItem> all;
  std::size_t flags = 0;  // in `all`: from here on only flags, and what they alone need
  // Only the checks that a partial candidate can fail for good, and what they need.
  std::vector<ScheduleItem> cut;
  // Only the checks that fail for good if coherence lacks a pair, and what they need.
  std::vector<ScheduleItem> lack;
  // Only the checks that the order of a `with` can fail, by their bounds `ordered`, and what depends on that order.
  // Empty unless Built::ordered.
  std::vector<ScheduleItem> order;
  // By group and definition: the nodes inside the fixpoint, in order; a nested fixpoint is one item.
  std::vector<std::vector<std::vector<ScheduleItem>>> inside;
};

Schedule make_schedule(const cat::Built& built, const std::vector<cat::CheckInfo>& checks);

}  // namespace weakspot::model

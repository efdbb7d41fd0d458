// In which order the nodes of a model are computed, as far as the text of the model decides it.
//
// Checks come in the order of the text, except that what a later check needs is not computed before an earlier one has
// passed, that nothing is computed inside the loop of a choice that does not depend on it, and that flags come last.
#pragma once

#include <cstdint>
#include <vector>

#include "model/cat/cat_interpreter.h"

namespace weakspot::model {

struct ScheduleItem {
  enum class Kind : std::uint8_t { node, fixpoint, check, choice, bound };
  Kind kind = Kind::node;
  std::uint32_t index = 0;  // the node, the group, the step; a bound is a check of the step's `below`
};

struct Schedule {
  std::vector<ScheduleItem> all;
  // Only the checks that a partial candidate can fail for good, and what they need.
  std::vector<ScheduleItem> cut;
  // Only the checks that fail for good if coherence lacks something, and what they need.
  std::vector<ScheduleItem> lack;
  // By group: the nodes inside, in order; nested fixpoints are items of their own.
  std::vector<std::vector<ScheduleItem>> inside;
};

Schedule make_schedule(const cat::Built& built, const std::vector<cat::CheckInfo>& checks);

}  // namespace weakspot::model

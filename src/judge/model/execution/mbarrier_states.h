// SPDX-License-Identifier: MIT
// The states that an mbarrier can have (see expand.h). An execution makes each change of it at most once, one after the
// other, so there are few of them: sums of some of the changes. Values of other locations may be added up for ever.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "litmus/test.h"
#include "model/execution/path.h"

namespace weakspot::model {

// Whether the instruction changes the counts of an mbarrier.
bool changes_mbarrier(const litmus::Instruction& instruction);

// The changes that paths make to one mbarrier.
class MbarrierChanges {
 public:
  // A change that happens at most `times` times.
  void add(std::int64_t by, std::int64_t refill, std::size_t times, bool drops = false);
  // Every state that some of the changes, in any order, lead to from one of `from`; sorted. None if there are too many.
  std::optional<std::vector<std::int64_t>> states(const std::vector<std::int64_t>& from) const;

 private:
  struct Change {
    std::int64_t by, refill;
    std::size_t times;
    bool drops;
  };
  std::vector<Change> changes_;
};

// By mbarrier, all changes that the paths of all threads make.
std::map<litmus::LocationId, MbarrierChanges> mbarrier_changes(const litmus::LitmusTest& test,
                                                               const std::vector<std::vector<Path>>& paths);

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
#include "model/progress/schedule_rule.h"

#include <algorithm>

namespace weakspot::model {
namespace {

bool waits_to_run(Ending ending) { return ending == Ending::stopped || ending == Ending::unstarted; }

// The lowest thread that can run does.
bool runs_lowest(std::span<const Ending> endings) {
  const auto lowest = std::find_if(endings.begin(), endings.end(),
                                   [](Ending ending) { return ending == Ending::spins || waits_to_run(ending); });
  return lowest == endings.end() || *lowest == Ending::spins;
}

bool runs_started(std::span<const Ending> endings) {
  return std::find(endings.begin(), endings.end(), Ending::stopped) == endings.end();
}

// Whether the threads that did not start come after all that did.
bool started_in_order(std::span<const Ending> endings) {
  const auto first = std::find(endings.begin(), endings.end(), Ending::unstarted);
  return std::all_of(first, endings.end(), [](Ending ending) { return ending == Ending::unstarted; });
}

}  // namespace

bool may_last(Progress progress, std::span<const Ending> endings) {
  const bool spins = std::find(endings.begin(), endings.end(), Ending::spins) != endings.end();
  const bool blocked = std::find(endings.begin(), endings.end(), Ending::blocked) != endings.end();
  const bool all_run = std::none_of(endings.begin(), endings.end(), waits_to_run);
  if (!spins && !blocked) return false;
  // Some thread that can run is always scheduled.
  if (!spins || progress == Progress::fair) return all_run;
  switch (progress) {
    case Progress::lobe:
      return runs_started(endings) && started_in_order(endings);
    case Progress::hsa_obe:
      return runs_started(endings) && runs_lowest(endings);
    case Progress::obe:
      return runs_started(endings);
    case Progress::hsa:
      return runs_lowest(endings);
    default:
      return true;
  }
}

}  // namespace weakspot::model

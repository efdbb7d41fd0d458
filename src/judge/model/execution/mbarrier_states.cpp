// SPDX-License-Identifier: MIT
#include "model/execution/mbarrier_states.h"

#include <algorithm>
#include <set>

#include "model/execution/expand.h"

namespace weakspot::model {
namespace {

// Sets of changes that are tried.
constexpr std::size_t kMostSets = 512;

std::int64_t changed(std::int64_t state, std::int64_t by, std::int64_t refill, bool drops) {
  state += by;
  if ((state & kMbarrierPending) != kMbarrierDone) return state;
  return state + refill - (drops ? state >> kMbarrierDropped : 0);
}

}  // namespace

bool changes_mbarrier(const litmus::Instruction& instruction) {
  const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation);
  return rmw != nullptr && rmw->refill != 0;
}

void MbarrierChanges::add(std::int64_t by, std::int64_t refill, std::size_t times, bool drops) {
  for (Change& change : changes_) {
    if (change.by != by || change.refill != refill) continue;
    change.times += times;
    return;
  }
  changes_.push_back({by, refill, times, drops});
}

std::optional<std::vector<std::int64_t>> MbarrierChanges::states(const std::vector<std::int64_t>& from) const {
  std::size_t sets = 1;
  for (const Change& change : changes_) {
    sets *= change.times + 1;
    if (sets > kMostSets) return std::nullopt;
  }
  // By set of changes, a number with one digit per change: the states after it. Smaller sets have smaller numbers.
  std::vector<std::set<std::int64_t>> after(sets);
  after[0].insert(from.begin(), from.end());
  std::set<std::int64_t> all;
  for (std::size_t set = 0; set < sets; ++set) {
    all.insert(after[set].begin(), after[set].end());
    std::size_t weight = 1;
    for (const Change& change : changes_) {
      const std::size_t made = set / weight % (change.times + 1);
      if (made < change.times) {
        for (std::int64_t state : after[set]) {
          after[set + weight].insert(changed(state, change.by, change.refill, change.drops));
        }
      }
      weight *= change.times + 1;
    }
  }
  return std::vector<std::int64_t>(all.begin(), all.end());
}

std::map<litmus::LocationId, MbarrierChanges> mbarrier_changes(const litmus::LitmusTest& test,
                                                               const std::vector<std::vector<Path>>& paths) {
  std::map<litmus::LocationId, MbarrierChanges> changes;
  for (std::size_t t = 0; t < paths.size(); ++t) {
    const std::vector<litmus::Instruction>& code = test.threads[t].instructions;
    std::vector<std::size_t> most(code.size());
    for (const Path& path : paths[t]) {
      std::vector<std::size_t> times(code.size());
      for (const PathEvent& event : path.events) times[event.instruction] += event.kind == EventKind::write;
      for (std::size_t i = 0; i < code.size(); ++i) most[i] = std::max(most[i], times[i]);
    }
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (most[i] == 0 || !changes_mbarrier(code[i])) continue;
      const auto& rmw = std::get<litmus::Rmw>(code[i].operation);
      changes[*rmw.access.address.location].add(std::get<litmus::Value>(rmw.operand).number, rmw.refill, most[i],
                                                rmw.drops);
    }
  }
  return changes;
}

}  // namespace weakspot::model

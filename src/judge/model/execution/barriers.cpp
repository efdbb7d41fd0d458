// SPDX-License-Identifier: MIT
#include "model/execution/barriers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace weakspot::model {
namespace {

const litmus::Barrier& barrier_in(const Event& event) { return std::get<litmus::Barrier>(event.source->operation); }

}  // namespace

Barriers::Barriers(const Frame& frame) : frame_(frame), meeting_(frame.size()) {
  std::vector<std::uint32_t> round(frame.size());
  // Those that only wait are counted for themselves: the first one waits for the first arrivals.
  std::map<std::tuple<std::uint32_t, std::int64_t, bool>, std::uint32_t> seen;
  for (EventId i = 0; i < frame.size(); ++i) {
    const Event& event = frame.events[i];
    if (event.kind != EventKind::barrier || !event.thread || event.source == nullptr) continue;
    const bool waits = barrier_in(event).kind == litmus::Barrier::Kind::wait;
    round[i] = seen[{event.thread->index, event.barrier_id.value_or(0), waits}]++;
    barriers_.push_back(i);
  }
  for (EventId a : barriers_) {
    const Event& from = frame.events[a];
    for (EventId b : barriers_) {
      const Event& to = frame.events[b];
      const bool named_apart = from.barrier_name && to.barrier_name && from.barrier_name != to.barrier_name;
      if (from.barrier_id == to.barrier_id && round[a] == round[b] && !named_apart &&
          frame.scopes.together(*from.thread, *to.thread, barrier_in(from).scope)) {
        meeting_[a].push_back(b);
      }
    }
  }
}

std::size_t Barriers::needed(EventId barrier) const {
  const std::optional<std::int64_t>& quorum = frame_.events[barrier].barrier_quorum;
  return quorum ? static_cast<std::size_t>(std::max<std::int64_t>(*quorum, 0)) : meeting_[barrier].size();
}

bool Barriers::wait_forever() const {
  return std::any_of(barriers_.begin(), barriers_.end(), [&](EventId barrier) {
    return barrier_in(frame_.events[barrier]).kind == litmus::Barrier::Kind::sync &&
           meeting_[barrier].size() < needed(barrier);
  });
}

bool Barriers::enough(const std::vector<bool>& late) const {
  return std::all_of(barriers_.begin(), barriers_.end(), [&](EventId barrier) {
    const std::vector<EventId>& all = meeting_[barrier];
    const auto absent = std::count_if(all.begin(), all.end(), [&](EventId other) { return late[other]; });
    return all.size() - static_cast<std::size_t>(absent) >= std::min(needed(barrier), all.size());
  });
}

std::vector<std::vector<EventId>> Barriers::late(std::size_t most, Allowance& allowance) const {
  std::vector<EventId> crowded;
  for (EventId barrier : barriers_) {
    if (needed(barrier) < meeting_[barrier].size()) crowded.push_back(barrier);
  }
  std::vector<std::vector<EventId>> sets;
  std::vector<bool> late(frame_.size());
  // Decides one barrier after the other. A set that passes at the end is maximal if no barrier that is in time could be
  // late as well.
  auto decide = [&](auto&& self, std::size_t next) -> void {
    if (sets.size() == most || allowance.spend() || !enough(late)) return;
    if (next < crowded.size()) {
      for (bool choice : {true, false}) {
        late[crowded[next]] = choice;
        self(self, next + 1);
      }
      late[crowded[next]] = false;
      return;
    }
    std::vector<EventId> set;
    for (EventId barrier : crowded) {
      if (late[barrier]) {
        set.push_back(barrier);
        continue;
      }
      late[barrier] = true;
      const bool could_be_late = enough(late);
      late[barrier] = false;
      if (could_be_late) return;
    }
    sets.push_back(std::move(set));
  };
  decide(decide, 0);
  return sets;
}

}  // namespace weakspot::model

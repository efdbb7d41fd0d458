// SPDX-License-Identifier: MIT
#include "model/execution/barriers.h"

#include <algorithm>
#include <utility>

namespace weakspot::model {
namespace {

const litmus::Barrier& barrier_in(const Event& event) { return std::get<litmus::Barrier>(event.source->operation); }

// Barriers of one level, id and name; one without a name may be any of its id.
bool may_be_one(const Event& a, const Event& b) {
  const bool named_apart = a.barrier_name && b.barrier_name && a.barrier_name != b.barrier_name;
  return barrier_in(a).scope == barrier_in(b).scope && a.barrier_id == b.barrier_id && !named_apart;
}

}  // namespace

Barriers::Barriers(const Frame& frame) : frame_(frame), meeting_(frame.size()) {
  std::vector<std::vector<EventId>> of_thread(frame.scopes.placements.size());
  for (EventId i = 0; i < frame.size(); ++i) {
    const Event& event = frame.events[i];
    if (event.kind != EventKind::barrier || !event.thread || event.source == nullptr) continue;
    of_thread[event.thread->index].push_back(i);
    barriers_.push_back(i);
  }
  // The number of times that the thread of `a` came to the barrier of `b` before. Arrivals are counted apart from
  // waits, and a barrier that does both is counted as either: the first wait belongs to the first arrivals.
  auto round = [&](EventId a, const Event& b) {
    const BarrierKind other_step =
        barrier_in(frame.events[a]).kind == BarrierKind::wait ? BarrierKind::arrive : BarrierKind::wait;
    const std::vector<EventId>& own = of_thread[frame.events[a].thread->index];
    return std::count_if(own.begin(), own.end(), [&](EventId x) {
      return x < a && barrier_in(frame.events[x]).kind != other_step && may_be_one(frame.events[x], b);
    });
  };
  for (EventId a : barriers_) {
    const Event& from = frame.events[a];
    for (EventId b : barriers_) {
      const Event& to = frame.events[b];
      if (may_be_one(from, to) && frame.scopes.together(*from.thread, *to.thread, barrier_in(from).scope) &&
          round(a, to) == round(b, from)) {
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
    return barrier_in(frame_.events[barrier]).kind == BarrierKind::sync && meeting_[barrier].size() < needed(barrier);
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

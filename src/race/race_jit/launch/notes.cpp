// SPDX-License-Identifier: MIT
#include "race_jit/launch/notes.h"

#include <algorithm>
#include <utility>

namespace weakspot::race_jit {

void Notes::add(Incident incident) {
  auto [found, fresh] = incident_index_.try_emplace(key_of(incident), incidents_.size());
  if (fresh) {
    incidents_.push_back(std::move(incident));
  } else {
    incidents_[found->second].count += incident.count;
  }
}

std::vector<Incident> Notes::take_incidents() {
  incident_index_.clear();
  return std::exchange(incidents_, {});
}

void Notes::add_barrier(race::SiteId site, const BarrierUse& use) {
  BarrierUse& known = barriers_[site];
  known.instances += use.instances;
  known.threads = std::max(known.threads, use.threads);
}

std::map<race::SiteId, BarrierUse> Notes::take_barriers() { return std::exchange(barriers_, {}); }

void Notes::clear() { *this = {}; }

}  // namespace weakspot::race_jit

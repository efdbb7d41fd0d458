// SPDX-License-Identifier: MIT
// A core's notes beside races: incidents, barriers that threads met at, and the output of kernels.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "race/site.h"
#include "race_jit/launch/incident.h"

namespace weakspot::race_jit {

struct BarrierUse {
  std::uint64_t instances = 0;
  std::uint64_t threads = 0;  // the most that met at one instance
};

// The barriers that were met, and those of them that were needed to order something.
struct BarrierKnowledge {
  std::map<race::SiteId, BarrierUse> uses;
  std::set<race::SiteId> needed;
};

class Notes {
 public:
  // Like incidents are counted, and the first one is kept.
  void add(Incident incident);
  const std::vector<Incident>& incidents() const { return incidents_; }
  // Returns the incidents noted since the last call.
  std::vector<Incident> take_incidents();

  void add_barrier(race::SiteId site, const BarrierUse& use);
  const std::map<race::SiteId, BarrierUse>& barriers() const { return barriers_; }
  std::map<race::SiteId, BarrierUse> take_barriers();

  std::string& output() { return output_; }
  void clear();

 private:
  std::vector<Incident> incidents_;
  std::map<NoticedKey, std::size_t> incident_index_;
  std::map<race::SiteId, BarrierUse> barriers_;
  std::string output_;
};

}  // namespace weakspot::race_jit

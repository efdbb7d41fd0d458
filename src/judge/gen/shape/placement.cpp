// SPDX-License-Identifier: MIT
#include "gen/shape/placement.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace weakspot::gen {
namespace {

using litmus::Scope;

class Groups {
 public:
  explicit Groups(std::size_t threads) : leader_(threads) { std::iota(leader_.begin(), leader_.end(), 0u); }

  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t from = leader_[b];
    const std::uint32_t to = leader_[a];
    std::replace(leader_.begin(), leader_.end(), from, to);
  }
  bool together(std::uint32_t a, std::uint32_t b) const { return leader_[a] == leader_[b]; }

  // Groups numbered in order of appearance.
  std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> number(leader_.size());
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < leader_.size(); ++i) {
      const auto first = std::find(leader_.begin(), leader_.end(), leader_[i]) - leader_.begin();
      number[i] = static_cast<std::size_t>(first) == i ? next++ : number[static_cast<std::size_t>(first)];
    }
    return number;
  }

 private:
  std::vector<std::uint32_t> leader_;
};

}  // namespace

Placements place_threads(const Cycle& cycle) {
  const std::vector<std::size_t> starts = thread_starts(cycle);
  const std::size_t count = starts.size();
  Placements result;
  result.threads.resize(count);

  struct Neighbours {
    std::uint32_t from, to;
    std::size_t step;
    Scope together;
  };
  std::vector<Neighbours> edges;
  std::uint32_t thread = 0;
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    if (!cycle.steps[i].edge.external) continue;
    const std::uint32_t next = (thread + 1) % static_cast<std::uint32_t>(count);
    edges.push_back({thread, next, i, cycle.steps[i].edge.together});
    thread = next;
  }

  // Queue families go with devices: no edge tells them apart.
  constexpr std::array kLevels = {Scope::subgroup, Scope::workgroup, Scope::cluster, Scope::device};
  for (Scope level : kLevels) {
    Groups groups(count);
    for (const Neighbours& edge : edges) {
      if (edge.together <= level) groups.join(edge.from, edge.to);
    }
    for (const Neighbours& edge : edges) {
      const bool apart = edge.together > level;
      if (apart && groups.together(edge.from, edge.to) && !result.contradiction) result.contradiction = edge.step;
    }
    const std::vector<std::uint32_t> numbers = groups.numbers();
    for (std::size_t t = 0; t < count; ++t) {
      litmus::Placement& place = result.threads[t];
      if (level == Scope::subgroup) place.subgroup = numbers[t];
      if (level == Scope::workgroup) place.workgroup = numbers[t];
      if (level == Scope::cluster) place.cluster = numbers[t];
      if (level == Scope::device) place.device = place.queue_family = numbers[t];
    }
  }
  return result;
}

}  // namespace weakspot::gen

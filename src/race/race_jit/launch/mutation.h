// SPDX-License-Identifier: MIT
// Operations of a kernel that are skipped or weakened: how a barrier is tried without, and what a mutant is.
#pragma once

#include <cstdint>
#include <vector>

#include "race/mutants.h"
#include "race/site.h"

namespace weakspot::race_jit {

class Mutation {
 public:
  // From now on the operations at these of all sites are weaker; no sites: none is.
  void set(const std::vector<race::SiteId>& sites, race::MutantKind kind, std::size_t all) {
    kind_ = kind;
    is_at_.assign(sites.empty() ? 0 : all, 0);
    for (const race::SiteId site : sites) is_at_[site] = 1;
  }
  bool any() const { return !is_at_.empty(); }

  // Whether the operation at the site is to be changed in that way; counts the changes.
  bool applies(race::SiteId site, race::MutantKind kind) {
    if (site >= is_at_.size() || is_at_[site] == 0 || kind != kind_) return false;
    ++applied_;
    return true;
  }
  // The number of changes in the last launch.
  std::uint64_t applied() const { return applied_; }
  void begin_launch() { applied_ = 0; }

 private:
  std::vector<std::uint8_t> is_at_;  // by site; empty where no operation is changed
  race::MutantKind kind_ = race::MutantKind::no_barrier;
  std::uint64_t applied_ = 0;
};

}  // namespace weakspot::race_jit

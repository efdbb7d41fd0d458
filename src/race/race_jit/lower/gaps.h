// SPDX-License-Identifier: MIT
// Finds the lines where a barrier would keep two accesses apart, or fences would make a flag or a lock order them.
//
// Threads pass barriers together. So two accesses may happen at the same time if some barrier, or the beginning of the
// kernel, leads to both without a further barrier on the way. A gap between two statements keeps them apart if nothing
// leads to both any more once a barrier stands there, both lead to it or come from it, and all threads come by
// together. This looks at one function, into which most others were inlined; barriers of some of the threads, and those
// in functions that are called, count as none. Gaps may therefore be missing but are never wrong.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "race/entry.h"
#include "race/report.h"
#include "race/site.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/lower/flow.h"

namespace weakspot::race_jit {

class Gaps {
 public:
  // Looks at all functions, when operations are calls of hooks and accesses are not instrumented yet.
  void read(llvm::Module& module, const std::vector<std::string>& own_folders = {});
  // The site stands for this instruction. One that did not exist at read() is ignored.
  void place(race::SiteId site, const llvm::Instruction& instruction);
  // No more sites will be placed.
  void forget_instructions() { instructions_.clear(); }

  // For barriers at which the threads of that reach meet.
  BarrierGaps between(race::SiteId a, race::SiteId b, BarrierOf reach, const std::vector<race::Site>& sites) const;
  // One of the accesses (the first, if that is possible) comes before a signal, the other behind seeing it, and fences
  // are missing there. `wide`: the threads are in different blocks.
  std::optional<SignalGaps> signal(race::SiteId a, race::SiteId b, bool wide,
                                   const std::vector<race::Site>& sites) const;
  // The nearest gap behind or before an access that all its ways pass.
  std::optional<race::Gap> next_to(race::SiteId site, bool behind) const;

 private:
  std::optional<SignalGaps> find_signal(race::SiteId a, race::SiteId b, bool wide,
                                        const std::vector<race::Site>& sites) const;

  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  struct Position {
    std::uint32_t flow = kNowhere;
    NodeId node = 0;
  };
  Position position(race::SiteId site) const { return site < positions_.size() ? positions_[site] : Position{}; }

  std::vector<Flow> flows_;
  std::unordered_map<const llvm::Instruction*, Position> instructions_;
  std::vector<Position> positions_;  // by site
  mutable std::map<std::tuple<race::SiteId, race::SiteId, BarrierOf>, BarrierGaps> known_;
  mutable std::map<std::tuple<race::SiteId, race::SiteId, bool>, std::optional<SignalGaps>> signals_;
};

}  // namespace weakspot::race_jit

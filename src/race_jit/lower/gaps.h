// SPDX-License-Identifier: MIT
// Where a barrier could be put to keep two accesses apart.
//
// Threads pass barriers together. So two accesses may happen at the same time if some barrier, or the beginning of the
// kernel, leads to both without a further barrier on the way. A gap, before or after all accesses of a line, keeps them
// apart if nothing leads to both any more once a barrier stands there, and both lead to it or come from it. This looks
// at one function, into which most others were inlined; barriers of some of the threads, and those in functions that
// are called, count as none. Gaps may therefore be missing but are never wrong.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "race/entry.h"
#include "race/report.h"
#include "race/site.h"
#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit {

class Gaps {
 public:
  // Looks at all functions, when operations are calls of hooks and accesses are not instrumented yet.
  void read(const llvm::Module& module);
  // The site stands for this instruction. One that did not exist at read() is ignored.
  void place(race::SiteId site, const llvm::Instruction& instruction);
  // No more sites will be placed.
  void forget_instructions() { instructions_.clear(); }

  // Ascending; for barriers at which the threads of that reach meet.
  std::vector<race::Gap> between(race::SiteId a, race::SiteId b, BarrierOf reach,
                                 const std::vector<race::Site>& sites) const;

 private:
  using NodeId = std::uint32_t;
  static constexpr std::uint32_t kInside = ~std::uint32_t{0};

  // An instruction, or the beginning of a basic block. The node before it is the one before in the list, except for
  // beginnings.
  struct Node {
    race::SiteId site = 0;  // 0: nothing is accessed
    bool is_barrier = false;
    BarrierOf reach = BarrierOf::warp;  // of the barrier
    std::uint32_t begins = kInside;     // the number of the basic block that begins here
  };
  struct Flow {
    std::vector<Node> nodes;
    std::vector<std::vector<NodeId>> leading_to;  // the last nodes of the blocks before, for each basic block
  };
  struct Position {
    std::uint32_t flow = kInside;
    NodeId node = 0;
  };
  // The accesses of a line, without others between them, in one basic block.
  struct Run {
    NodeId first = 0, last = 0;
  };
  // A barrier that is tried.
  struct Trial {
    std::set<NodeId> at;  // first or last nodes of runs
    bool after = false;
  };
  // What leads to a node without a barrier between: barriers, the beginning, or the trial. Trials have odd numbers.
  using Origins = std::set<std::uint64_t>;
  using Line = std::pair<std::string, unsigned>;

  static Flow flow_of(const llvm::Function& function,
                      std::unordered_map<const llvm::Instruction*, NodeId>& instructions);
  static Origins origins(const Flow& flow, NodeId node, BarrierOf reach, const Trial& trial,
                         std::vector<NodeId>* passed);
  struct Ways {
    const Flow& flow;
    NodeId first, second;
    BarrierOf reach;
  };
  static bool keeps_apart(const Ways& ways, const Trial& trial);
  static std::vector<Run> runs_of(const Flow& flow, const Line& line, const std::vector<race::Site>& sites);

  std::vector<Flow> flows_;
  std::unordered_map<const llvm::Instruction*, Position> instructions_;
  std::vector<Position> positions_;  // by site
  mutable std::map<std::tuple<race::SiteId, race::SiteId, BarrierOf>, std::vector<race::Gap>> known_;
};

}  // namespace weakspot::race_jit

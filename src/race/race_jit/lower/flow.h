// SPDX-License-Identifier: MIT
// A function as its accesses and synchronisations, the ways between them, and the lines where a statement may be
// inserted. Most functions were inlined into kernels, so that a line may stand for several places in the flow.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "race/entry.h"
#include "race/report.h"
#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit {

using NodeId = std::uint32_t;

// An operation that synchronises, as far as it matters here.
enum class FlowOp : std::uint8_t { none, barrier, fence, strong_read, strong_write, strong_update };

// An instruction that accesses memory or synchronises, or the beginning of a basic block. The node before it is the one
// before in the list, except for beginnings.
struct FlowNode {
  static constexpr std::uint32_t kInside = ~std::uint32_t{0};

  race::SiteId site = 0;  // 0: nothing is accessed
  FlowOp op = FlowOp::none;
  BarrierOf reach = BarrierOf::warp;  // the barrier's
  bool wide = false;                  // the scope of a fence or a strong access is more than the cluster
  bool acquires = false, releases = false;
  bool decides = false;            // what is read is compared with something
  std::uint32_t memory = 0;        // number of the variable of a strong access
  std::uint32_t address = 0;       // number of the expression for the address; 0: not known
  std::uint32_t begins = kInside;  // the number of the basic block that begins here
};

// Room for a statement: behind each of the nodes, one for each copy of the line.
struct FlowSpot {
  race::Gap gap;
  std::set<NodeId> behind;
  bool all_threads = true, all_lanes = true;  // come by together
};

struct Flow {
  std::vector<FlowNode> nodes;
  std::vector<std::vector<NodeId>> leading_to;  // the last nodes of the blocks before, for each basic block
  std::vector<FlowSpot> spots;                  // ascending

  // The nodes that lead to this one at once.
  std::vector<NodeId> before(NodeId node) const;
  // The reverse of all that.
  std::vector<std::vector<NodeId>> followers() const;
};

// The statements of a file that the compiler noted; see compile/statement_lines.h.
struct Statement {
  std::string file;
  unsigned first = 0, last = 0;
  bool room_before = false, room_after = false;
};

class FlowReader {
 public:
  // Nothing is inserted into files of `own_folders`.
  FlowReader(const llvm::Module& module, const std::vector<std::string>& own_folders);
  // When operations are calls of hooks and accesses are not instrumented yet.
  Flow read(llvm::Function& function, std::unordered_map<const llvm::Instruction*, NodeId>& instructions);

 private:
  class Spots;
  const std::vector<std::size_t>& statements_at(const std::string& file, unsigned line);

  std::vector<Statement> statements_;
  std::map<std::pair<std::string, unsigned>, std::vector<std::size_t>> by_line_;
  std::map<std::string, std::uint32_t> memory_;
  std::map<std::vector<const llvm::Value*>, std::uint32_t> addresses_;
};

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
#include "race_jit/lower/mark_ends.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstddef>
#include <set>

#include "race_jit/hooks/context.h"
#include "race_jit/lower/lower.h"

namespace weakspot::race_jit {
namespace {

bool has_barriers(const llvm::Module& module) {
  static constexpr const char* kBarriers[] = {"weakspot_barrier", "weakspot_barrier_reduce", "weakspot_grid_barrier",
                                              "weakspot_cluster_barrier", "weakspot_blocks_wait"};
  return std::any_of(std::begin(kBarriers), std::end(kBarriers),
                     [&](const char* name) { return module.getFunction(name) != nullptr; });
}

// A block in which paths to the end join and nothing happens: clang leads return statements there, through scope ends.
bool is_meeting_place(const llvm::BasicBlock& block) {
  if (llvm::pred_size(&block) < 2) return false;
  return std::all_of(block.begin(), block.end(), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::IntrinsicInst>(instruction) ||
           instruction.isTerminator();
  });
}

// The branch that belongs to the return statement has its line.
void mark_ways_to(llvm::BasicBlock& block, std::set<const llvm::BasicBlock*>& seen, SiteTable& sites) {
  if (!seen.insert(&block).second) return;
  if (is_meeting_place(block)) {
    for (llvm::BasicBlock* from : llvm::predecessors(&block)) mark_ways_to(*from, seen, sites);
    return;
  }
  llvm::Value* context = current_context(*block.getParent());
  llvm::IRBuilder<> builder(block.getTerminator());
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::Value* field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, offsetof(ThreadContext, site));
  builder.CreateStore(builder.getInt16(sites.of(*block.getTerminator())), field);
}

}  // namespace

void mark_ends(llvm::Module& module, SiteTable& sites) {
  if (!has_barriers(module)) return;
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute("weakspot-kernel") || function.isDeclaration()) continue;
    std::set<const llvm::BasicBlock*> seen;
    for (llvm::BasicBlock& block : function) {
      if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) mark_ways_to(block, seen, sites);
    }
  }
}

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
#include "race_jit/lower/branch_sides.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>

#include <set>

namespace weakspot::race_jit {
namespace {

// The square of this is remembered.
constexpr std::size_t kMostBlocks = 2000;

}  // namespace

void BranchSides::read(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() || function.size() > kMostBlocks) continue;
    llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back_edges;
    llvm::FindFunctionBackedges(function, back_edges);
    const std::set<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back(back_edges.begin(),
                                                                                     back_edges.end());
    std::unordered_map<const llvm::BasicBlock*, std::size_t> numbers;
    for (const llvm::BasicBlock& block : function) numbers.emplace(&block, numbers.size());
    std::vector<std::vector<bool>> reaches(numbers.size(), std::vector<bool>(numbers.size()));
    // In post-order all that a block leads to, but for loops, comes before it.
    for (const llvm::BasicBlock* block : llvm::post_order(&function)) {
      std::vector<bool>& from = reaches[numbers[block]];
      from[numbers[block]] = true;
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (back.contains({block, next})) continue;
        const std::vector<bool>& beyond = reaches[numbers[next]];
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = from[i] || beyond[i];
      }
    }
    reaches_.push_back(std::move(reaches));
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        if (instruction.mayReadOrWriteMemory()) instructions_[&instruction] = {reaches_.size(), numbers[&block]};
      }
    }
  }
}

void BranchSides::place(race::SiteId site, const llvm::Instruction& instruction) {
  auto found = instructions_.find(&instruction);
  if (found == instructions_.end()) return;
  if (sites_.size() <= site) sites_.resize(site + std::size_t{1});
  sites_[site] = found->second;
}

bool BranchSides::are_sides(race::SiteId a, race::SiteId b) const {
  if (a >= sites_.size() || b >= sites_.size()) return false;
  const Position &at_a = sites_[a], &at_b = sites_[b];
  if (at_a.function == 0 || at_a.function != at_b.function) return false;
  const std::vector<std::vector<bool>>& reaches = reaches_[at_a.function - 1];
  return !reaches[at_a.block][at_b.block] && !reaches[at_b.block][at_a.block];
}

}  // namespace weakspot::race_jit

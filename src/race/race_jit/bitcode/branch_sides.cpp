// SPDX-License-Identifier: MIT
#include "race_jit/bitcode/branch_sides.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

#include <set>

namespace weakspot::race_jit {
namespace {

// The square of this is remembered.
constexpr std::size_t kMostBlocks = 2000;

using BlockList = llvm::SmallVector<const llvm::BasicBlock*>;

// The place where the lanes of a warp that run a loop come together again: the first block behind it that all of them
// reach. If that is only the end of the function, because of a return in the loop, the blocks to which the loop exits.
BlockList behind(const llvm::Loop& loop, const llvm::PostDominatorTree& after) {
  const llvm::DomTreeNode* node = after.getNode(loop.getHeader());
  while (node != nullptr && node->getBlock() != nullptr && loop.contains(node->getBlock())) node = node->getIDom();
  const llvm::BasicBlock* met = node == nullptr ? nullptr : node->getBlock();
  if (met != nullptr && !llvm::isa<llvm::ReturnInst>(met->getTerminator())) return {met};
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop.getExitBlocks(exits);
  return {exits.begin(), exits.end()};
}

// The successors of each block, in one round of the loops around it. The way back of a loop leads behind it instead.
std::vector<BlockList> edges_of(llvm::Function& function,
                                const std::unordered_map<const llvm::BasicBlock*, std::size_t>& numbers) {
  using Edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;
  llvm::SmallVector<Edge> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  const std::set<Edge> back(back_edges.begin(), back_edges.end());
  llvm::DominatorTree before(function);
  const llvm::PostDominatorTree after(function);
  const llvm::LoopInfo loops(before);
  std::vector<BlockList> edges(numbers.size());
  for (const llvm::BasicBlock& block : function) {
    BlockList& from = edges[numbers.at(&block)];
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      const llvm::Loop* loop = back.contains({&block, next}) ? loops.getLoopFor(next) : nullptr;
      if (!back.contains({&block, next})) from.push_back(next);
      if (loop != nullptr && loop->getHeader() == next) from.append(behind(*loop, after));
    }
  }
  return edges;
}

}  // namespace

void BranchSides::read(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.size() > kMostBlocks) continue;
    std::unordered_map<const llvm::BasicBlock*, std::size_t> numbers;
    for (const llvm::BasicBlock& block : function) numbers.emplace(&block, numbers.size());
    const std::vector<BlockList> edges = edges_of(function, numbers);
    std::vector<llvm::BitVector> reaches(numbers.size(), llvm::BitVector(static_cast<unsigned>(numbers.size())));
    for (std::size_t i = 0; i < reaches.size(); ++i) reaches[i].set(static_cast<unsigned>(i));
    // Most edges lead on in the order of the blocks, so that few rounds are needed.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = reaches.size(); i-- > 0;) {
        const unsigned known = reaches[i].count();
        for (const llvm::BasicBlock* next : edges[i]) reaches[i] |= reaches[numbers[next]];
        changed = changed || reaches[i].count() != known;
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
  const std::vector<llvm::BitVector>& reaches = reaches_[at_a.function - 1];
  return !reaches[at_a.block][static_cast<unsigned>(at_b.block)] &&
         !reaches[at_b.block][static_cast<unsigned>(at_a.block)];
}

}  // namespace weakspot::race_jit

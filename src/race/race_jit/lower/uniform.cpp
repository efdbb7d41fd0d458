// SPDX-License-Identifier: MIT
#include "race_jit/lower/uniform.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>
#include <optional>

#include "race_jit/hooks/context.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kLanes = 32;

// The offset in the context of the thread that a load reads.
std::optional<std::uint64_t> context_offset(const llvm::LoadInst& load) {
  const auto* field = llvm::dyn_cast<llvm::GEPOperator>(load.getPointerOperand());
  if (field == nullptr || field->getPointerOperand()->getName() != "weakspot.context") return std::nullopt;
  llvm::APInt offset(64, 0);
  if (!field->accumulateConstantOffset(load.getDataLayout(), offset)) return std::nullopt;
  return offset.getZExtValue();
}

class Parting {
 public:
  Parting(llvm::Function& function, bool of_warp) : function_(function), of_warp_(of_warp), after_(function) {
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::Instruction& instruction : llvm::instructions(function)) changed |= look_at(instruction);
    }
  }

  std::unordered_set<const llvm::BasicBlock*> take() { return std::move(blocks_); }

 private:
  bool differs(const llvm::Value* value) const {
    if (llvm::isa<llvm::Argument>(value)) return !function_.hasFnAttribute("weakspot-kernel");
    return values_.contains(value);
  }

  bool look_at(llvm::Instruction& instruction) {
    if (values_.contains(&instruction)) return false;
    if (!is_parting(instruction)) return false;
    values_.insert(&instruction);
    if (instruction.isTerminator() && instruction.getNumSuccessors() > 1) part(*instruction.getParent());
    return true;
  }

  // threadIdx.x compared with a multiple of the warp's size, or divided by it, is the same in all lanes.
  bool is_whole_warps(const llvm::Instruction& instruction) const {
    if (!of_warp_ || instruction.getNumOperands() != 2) return false;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction.getOperand(0));
    if (number == nullptr || load == nullptr || context_offset(*load) != offsetof(ThreadContext, thread)) return false;
    const std::uint64_t value = number->getValue().getLimitedValue();
    switch (instruction.getOpcode()) {
      case llvm::Instruction::ICmp: {
        const llvm::CmpInst::Predicate predicate = llvm::cast<llvm::ICmpInst>(instruction).getPredicate();
        if (predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_UGE) return value % kLanes == 0;
        if (predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_UGT) {
          return (value + 1) % kLanes == 0;
        }
        return false;
      }
      case llvm::Instruction::UDiv:
        return value % kLanes == 0;
      case llvm::Instruction::LShr:
        return value >= 5;
      default:
        return false;
    }
  }

  bool is_parting(const llvm::Instruction& instruction) const {
    if (blocks_.contains(instruction.getParent())) return true;
    if (llvm::isa<llvm::AllocaInst>(instruction) || is_whole_warps(instruction)) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (const std::optional<std::uint64_t> offset = context_offset(*load)) {
        return *offset >= offsetof(ThreadContext, thread) && *offset < offsetof(ThreadContext, block);
      }
      return load->isVolatile() || differs(load->getPointerOperand()) ||
             llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call != nullptr && call->mayReadFromMemory()) {
      const llvm::Function* callee = call->getCalledFunction();
      // All threads get the same from a barrier that computes.
      return callee == nullptr || callee->getName() != "weakspot_barrier_reduce";
    }
    if (const auto* merged = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      if (met_.contains(merged->getParent()) && !merged->hasConstantValue()) return true;
    }
    for (const llvm::Value* operand : instruction.operands()) {
      if (differs(operand)) return true;
    }
    return false;
  }

  // The sides of the branch, up to where they come together.
  void part(const llvm::BasicBlock& from) {
    const llvm::DomTreeNode* node = after_.getNode(&from);
    const llvm::DomTreeNode* next = node == nullptr ? nullptr : node->getIDom();
    const llvm::BasicBlock* met = next == nullptr ? nullptr : next->getBlock();
    if (met != nullptr) met_.insert(met);
    std::vector<const llvm::BasicBlock*> to_visit(llvm::succ_begin(&from), llvm::succ_end(&from));
    std::unordered_set<const llvm::BasicBlock*> seen;
    while (!to_visit.empty()) {
      const llvm::BasicBlock* block = to_visit.back();
      to_visit.pop_back();
      if (block == met || !seen.insert(block).second) continue;
      to_visit.insert(to_visit.end(), llvm::succ_begin(block), llvm::succ_end(block));
    }
    blocks_.insert(seen.begin(), seen.end());
  }

  llvm::Function& function_;
  const bool of_warp_;
  llvm::PostDominatorTree after_;
  std::unordered_set<const llvm::Value*> values_;       // differ between threads
  std::unordered_set<const llvm::BasicBlock*> blocks_;  // parted
  std::unordered_set<const llvm::BasicBlock*> met_;     // where parted threads come together
};

}  // namespace

std::unordered_set<const llvm::BasicBlock*> parted_blocks(llvm::Function& function, bool of_warp) {
  return Parting(function, of_warp).take();
}

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
#include "race_jit/lower/sync_points.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {
namespace {

using race::MutantKind;

// The value of an argument that is a constant; `otherwise` if it is not.
int constant_of(const llvm::CallInst& call, unsigned argument, int otherwise) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
  return number == nullptr ? otherwise : static_cast<int>(number->getSExtValue());
}

// The ways to weaken the operation.
std::vector<MutantKind> mutants_of(const llvm::CallInst& call, llvm::StringRef hook) {
  if (hook == "weakspot_barrier" || hook == "weakspot_grid_barrier" || hook == "weakspot_cluster_barrier" ||
      hook == "weakspot_named_barrier") {
    return {MutantKind::no_barrier};
  }
  if (hook == "weakspot_syncwarp") return {MutantKind::no_warp_barrier};
  if (hook == "weakspot_proxy_fence" || hook == "weakspot_map_copy") return {MutantKind::no_fence};
  std::vector<MutantKind> kinds;
  if (hook == "weakspot_fence" || hook == "weakspot_map_fence") {
    kinds.push_back(MutantKind::no_fence);
    if (constant_of(call, 0, kDeviceScope) != kBlockScope) kinds.push_back(MutantKind::narrow_fence);
  } else if (hook == "weakspot_atomic") {
    constexpr unsigned kScope = 3, kOrder = 4;
    kinds.push_back(MutantKind::plain);
    if (constant_of(call, kScope, kDeviceScope) != kBlockScope) kinds.push_back(MutantKind::narrow);
    if (constant_of(call, kOrder, kAcquireOrder) != 0) kinds.push_back(MutantKind::relax);
  }
  return kinds;
}

}  // namespace

std::vector<SyncPoint> sync_points(const llvm::Module& module) {
  std::vector<SyncPoint> points;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* hook = call == nullptr ? nullptr : call->getCalledFunction();
      if (hook == nullptr || !hook->getName().starts_with("weakspot_") || call->arg_size() == 0) continue;
      const int site = constant_of(*call, call->arg_size() - 1, 0);
      for (const MutantKind kind : mutants_of(*call, hook->getName())) {
        points.push_back({static_cast<race::SiteId>(site), kind});
      }
    }
  }
  return points;
}

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
#include "race_jit/bitcode/kernel_part.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <vector>

namespace weakspot::race_jit {
namespace {

// Collects the globals that a value refers to, directly or through others.
class Needed {
 public:
  void add(const llvm::Value& value) {
    if (!seen_.insert(&value).second) return;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(&value)) {
      globals_.insert(global);
      to_visit_.push_back(global);
    } else if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      for (const llvm::Use& operand : constant->operands()) add(*operand.get());
    }
  }

  const std::set<const llvm::GlobalValue*>& all() {
    while (!to_visit_.empty()) {
      const llvm::GlobalValue* global = to_visit_.back();
      to_visit_.pop_back();
      for (const llvm::Use& operand : global->operands()) add(*operand.get());
      const auto* function = llvm::dyn_cast<llvm::Function>(global);
      if (function == nullptr) continue;
      for (const llvm::BasicBlock& block : *function) {
        for (const llvm::Instruction& instruction : block) {
          for (const llvm::Use& operand : instruction.operands()) {
            if (llvm::isa<llvm::Constant>(operand.get())) add(*operand.get());
          }
        }
      }
    }
    return globals_;
  }

 private:
  std::set<const llvm::Value*> seen_;
  std::set<const llvm::GlobalValue*> globals_;
  std::vector<const llvm::GlobalValue*> to_visit_;
};

template <typename List>
void drop_unused(List&& list) {
  for (auto& global : llvm::make_early_inc_range(list)) {
    if (global.isDeclaration() && global.use_empty()) global.eraseFromParent();
  }
}

}  // namespace

std::unique_ptr<llvm::Module> part_of(const llvm::Module& whole, const std::set<std::string>& symbols) {
  Needed needed;
  for (const std::string& symbol : symbols) {
    if (const llvm::GlobalValue* global = whole.getNamedValue(symbol)) needed.add(*global);
  }
  const std::set<const llvm::GlobalValue*>& all = needed.all();
  llvm::ValueToValueMapTy copies;
  std::unique_ptr<llvm::Module> part =
      llvm::CloneModule(whole, copies, [&](const llvm::GlobalValue* global) { return all.contains(global); });
  for (llvm::NamedMDNode& list : llvm::make_early_inc_range(part->named_metadata())) {
    if (list.getName() != "llvm.module.flags") part->eraseNamedMetadata(&list);
  }
  drop_unused(part->functions());
  drop_unused(part->globals());
  for (llvm::GlobalObject& object : part->global_objects()) {
    if (object.isDeclaration() || symbols.contains(object.getName().str())) continue;
    object.setComdat(nullptr);
    object.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return part;
}

}  // namespace weakspot::race_jit

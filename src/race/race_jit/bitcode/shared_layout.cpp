// SPDX-License-Identifier: MIT
#include "race_jit/bitcode/shared_layout.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <set>

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kStaticLimit = 48 * 1024;

std::uint64_t shared_size(const llvm::GlobalVariable& variable) {
  return variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
}

std::uint64_t aligned_for(const llvm::GlobalVariable& variable, std::uint64_t offset) {
  const auto align = std::max<std::uint64_t>(variable.getAlign().valueOrOne().value(), 4);
  return (offset + align - 1) / align * align;
}

// The kernels that may reach a variable, through the functions that they call.
class Reaching {
 public:
  explicit Reaching(const llvm::GlobalVariable& variable) { follow(variable); }
  // Null stands for code that may be called from anywhere.
  const std::set<const llvm::Function*>& kernels() const { return kernels_; }

 private:
  void follow(const llvm::Value& value) {
    for (const llvm::User* user : value.users()) {
      if (!seen_.insert(user).second) continue;
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        enter(*instruction->getFunction());
      } else if (!llvm::isa<llvm::GlobalVariable>(user)) {
        follow(*user);
      } else {
        kernels_.insert(nullptr);
      }
    }
  }

  void enter(const llvm::Function& function) {
    if (!seen_.insert(&function).second) return;
    if (function.hasFnAttribute("weakspot-kernel")) kernels_.insert(&function);
    for (const llvm::User* user : function.users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call != nullptr && call->getCalledOperand() == &function) {
        enter(*call->getFunction());
      } else if (!function.hasFnAttribute("weakspot-kernel")) {
        kernels_.insert(nullptr);
      }
    }
  }

  std::set<const llvm::User*> seen_;
  std::set<const llvm::Function*> kernels_;
};

}  // namespace

SharedLayout lay_out_shared(const std::vector<llvm::GlobalVariable*>& variables) {
  SharedLayout layout;
  for (const llvm::GlobalVariable* variable : variables) {
    layout.offsets.push_back(aligned_for(*variable, layout.size));
    layout.size = layout.offsets.back() + shared_size(*variable);
  }
  if (layout.size <= kStaticLimit) return layout;
  layout = {};
  std::map<const llvm::Function*, std::uint64_t> tops;
  std::uint64_t common = 0;  // below it nothing may be placed twice
  for (const llvm::GlobalVariable* variable : variables) {
    const Reaching reaching(*variable);
    const bool of_all = reaching.kernels().contains(nullptr);
    std::uint64_t offset = of_all ? layout.size : common;
    for (const llvm::Function* kernel : reaching.kernels()) offset = std::max(offset, tops[kernel]);
    offset = aligned_for(*variable, offset);
    layout.offsets.push_back(offset);
    const std::uint64_t end = offset + shared_size(*variable);
    for (const llvm::Function* kernel : reaching.kernels()) tops[kernel] = end;
    if (of_all) common = end;
    layout.size = std::max(layout.size, end);
  }
  return layout;
}

}  // namespace weakspot::race_jit

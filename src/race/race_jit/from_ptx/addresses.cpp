// SPDX-License-Identifier: MIT
#include "race_jit/from_ptx/addresses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weakspot::race_jit {
namespace {

using llvm::Value;

constexpr const char* kGeneric = "weakspot.from_ptx.generic";
constexpr const char* kShared = "weakspot.from_ptx.shared";

Value* pending(llvm::IRBuilder<>& builder, const char* name, Value* address) {
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(name, builder.getPtrTy(), address->getType());
  return builder.CreateCall(callee, {address});
}

class AddressRecovery {
 public:
  AddressRecovery(llvm::Function& function, Value* anchor) : function_(function), anchor_(anchor) {}

  void run() {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee != nullptr && (callee->getName() == kGeneric || callee->getName() == kShared)) calls.push_back(call);
    }
    find_bases();
    for (llvm::CallInst* call : calls) {
      llvm::IRBuilder<> builder(call);
      const bool is_base = std::any_of(call->user_begin(), call->user_end(),
                                       [](const llvm::User* user) { return llvm::isa<llvm::PtrToIntOperator>(user); });
      call->replaceAllUsesWith(
          pointer(builder, call->getArgOperand(0), call->getCalledFunction()->getName() == kShared));
      call->eraseFromParent();
      if (is_base) find_bases();
    }
  }

 private:
  // The pointer whose bits these are, as a whole or cut to 32.
  static Value* pointer_of(Value* value) {
    if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(value)) value = cut->getOperand(0);
    auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(value);
    return number == nullptr ? nullptr : number->getPointerOperand();
  }

  // Whether the result of an instruction may be an address where this operand is one.
  static bool carries_address(const llvm::Use& use) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (instruction == nullptr) return false;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Or:
      case llvm::Instruction::PHI:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
        return true;
      case llvm::Instruction::Select:
        return use.getOperandNo() > 0;
      default:
        return false;
    }
  }

  // From the pointers on: a value is visited again when it turns out to have several.
  void find_bases() {
    bases_.clear();
    std::vector<Value*> to_visit;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (Value* base = pointer_of(&instruction)) {
        bases_[&instruction] = base;
        to_visit.push_back(&instruction);
      }
    }
    while (!to_visit.empty()) {
      Value* value = to_visit.back();
      to_visit.pop_back();
      Value* base = bases_.at(value);
      for (const llvm::Use& use : value->uses()) {
        if (!carries_address(use) || pointer_of(use.getUser()) != nullptr) continue;
        auto [known, fresh] = bases_.try_emplace(use.getUser(), base);
        if (!fresh && (known->second == base || known->second == nullptr)) continue;
        if (!fresh) known->second = nullptr;
        to_visit.push_back(use.getUser());
      }
    }
  }

  // The only pointer that an address is computed from; null if there is none, or several.
  Value* base_of(Value* address) const {
    auto found = bases_.find(address);
    return found == bases_.end() ? nullptr : found->second;
  }

  // Where a distance can be computed for all that use the address: behind it. Null where the base may come later.
  static llvm::Instruction* spot_behind(Value* address, const Value* base) {
    auto* computed = llvm::dyn_cast<llvm::Instruction>(address);
    const auto* from = llvm::dyn_cast<llvm::Instruction>(base);
    if (computed == nullptr || (from != nullptr && !from->getParent()->isEntryBlock())) return nullptr;
    return llvm::isa<llvm::PHINode>(computed) ? &*computed->getParent()->getFirstInsertionPt()
                                              : computed->getNextNode();
  }

  // The distance of an address from its base. Computed once for each address: thousands may follow from one another.
  Value* offset(llvm::IRBuilder<>& builder, Value* address, Value* base) {
    if (pointer_of(address) == base) return llvm::ConstantInt::get(address->getType(), 0);
    if (auto known = offsets_.find({address, base}); known != offsets_.end()) return known->second;
    llvm::Instruction* spot = spot_behind(address, base);
    if (spot == nullptr) return distance(builder, address, base);
    llvm::IRBuilder<> behind(spot);
    behind.SetCurrentDebugLocation(llvm::cast<llvm::Instruction>(address)->getDebugLoc());
    return offsets_[{address, base}] = distance(behind, address, base);
  }

  // Without the base where sums allow that.
  Value* distance(llvm::IRBuilder<>& builder, Value* address, Value* base) {
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(address);
    if (sum != nullptr && sum->getOpcode() == llvm::Instruction::Add) {
      for (unsigned i = 0; i < 2; ++i) {
        if (base_of(sum->getOperand(i)) != base || base_of(sum->getOperand(1 - i)) != nullptr) continue;
        return builder.CreateAdd(offset(builder, sum->getOperand(i), base), sum->getOperand(1 - i));
      }
    }
    Value* start = builder.CreatePtrToInt(base, builder.getInt64Ty());
    return builder.CreateSub(address, builder.CreateZExtOrTrunc(start, address->getType()));
  }

  // Addresses of 32 bits are the lower half of one in the window of shared memory, where all shared variables are near
  // each other. So are those of 64 bits that were filled with zeros.
  Value* pointer(llvm::IRBuilder<>& builder, Value* address, bool shared) {
    auto* filled = llvm::dyn_cast<llvm::ZExtInst>(address);
    const bool narrow = filled != nullptr && filled->getSrcTy()->isIntegerTy(32);
    if (narrow) {
      address = filled->getOperand(0);  // local memory also has addresses of 32 bits
    } else if (shared && anchor_ != nullptr) {
      address = builder.CreateTrunc(address, builder.getInt32Ty());
    }
    Value* base = base_of(address);
    if (base != nullptr) {
      Value* from_base = builder.CreateSExtOrTrunc(offset(builder, address, base), builder.getInt64Ty());
      return from_base == builder.getInt64(0) ? base : builder.CreateGEP(builder.getInt8Ty(), base, {from_base});
    }
    if (shared && anchor_ != nullptr) {
      Value* start = builder.CreatePtrToInt(anchor_, builder.getInt64Ty());
      Value* from_start = builder.CreateSub(address, builder.CreateTrunc(start, builder.getInt32Ty()));
      address = builder.CreateAdd(start, builder.CreateSExt(from_start, builder.getInt64Ty()));
    }
    return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(address, builder.getInt64Ty()), builder.getPtrTy());
  }

  llvm::Function& function_;
  Value* anchor_;
  std::unordered_map<const Value*, Value*> bases_;       // null: several; not those without one
  std::map<std::pair<Value*, Value*>, Value*> offsets_;  // of an address from a base
};

}  // namespace

Value* generic_pointer(llvm::IRBuilder<>& builder, Value* address) {
  return pending(builder, kGeneric, builder.CreateZExtOrTrunc(address, builder.getInt64Ty()));
}

Value* shared_pointer(llvm::IRBuilder<>& builder, Value* address) {
  address = builder.CreateZExtOrTrunc(address, builder.getInt64Ty());
  return pending(builder, kShared, address);
}

void recover_addresses(llvm::Function& function, Value* anchor) { AddressRecovery(function, anchor).run(); }

}  // namespace weakspot::race_jit

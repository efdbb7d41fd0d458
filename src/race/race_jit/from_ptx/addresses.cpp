// SPDX-License-Identifier: MIT
#include "race_jit/from_ptx/addresses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
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
    for (llvm::CallInst* call : calls) {
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(
          pointer(builder, call->getArgOperand(0), call->getCalledFunction()->getName() == kShared));
      call->eraseFromParent();
    }
  }

 private:
  // The pointers that an address may be computed from.
  void add_bases(Value* value, std::set<Value*>& bases, std::set<Value*>& seen) const {
    if (!seen.insert(value).second || seen.size() > 4096) return;
    if (auto* base = pointer_of(value)) {
      bases.insert(base);
      return;
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr) return;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Or:
      case llvm::Instruction::PHI:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
        for (Value* operand : instruction->operands()) add_bases(operand, bases, seen);
        break;
      case llvm::Instruction::Select:
        add_bases(instruction->getOperand(1), bases, seen);
        add_bases(instruction->getOperand(2), bases, seen);
        break;
      default:
        break;
    }
  }

  // The pointer whose bits these are, as a whole or cut to 32.
  static Value* pointer_of(Value* value) {
    if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(value)) value = cut->getOperand(0);
    auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(value);
    return number == nullptr ? nullptr : number->getPointerOperand();
  }

  Value* base_of(Value* address) const {
    std::set<Value*> bases, seen;
    add_bases(address, bases, seen);
    return bases.size() == 1 ? *bases.begin() : nullptr;
  }

  // The distance of an address from its base, without the base where sums allow that.
  Value* offset(llvm::IRBuilder<>& builder, Value* address, Value* base) {
    llvm::Type* type = address->getType();
    if (pointer_of(address) == base) return llvm::ConstantInt::get(type, 0);
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(address);
    if (sum != nullptr && sum->getOpcode() == llvm::Instruction::Add) {
      for (unsigned i = 0; i < 2; ++i) {
        if (base_of(sum->getOperand(i)) != base || base_of(sum->getOperand(1 - i)) != nullptr) continue;
        return builder.CreateAdd(offset(builder, sum->getOperand(i), base), sum->getOperand(1 - i));
      }
    }
    Value* start = builder.CreatePtrToInt(base, builder.getInt64Ty());
    return builder.CreateSub(address, builder.CreateZExtOrTrunc(start, type));
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
      Value* distance = builder.CreateSExtOrTrunc(offset(builder, address, base), builder.getInt64Ty());
      return distance == builder.getInt64(0) ? base : builder.CreateGEP(builder.getInt8Ty(), base, {distance});
    }
    if (shared && anchor_ != nullptr) {
      Value* start = builder.CreatePtrToInt(anchor_, builder.getInt64Ty());
      Value* distance = builder.CreateSub(address, builder.CreateTrunc(start, builder.getInt32Ty()));
      address = builder.CreateAdd(start, builder.CreateSExt(distance, builder.getInt64Ty()));
    }
    return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(address, builder.getInt64Ty()), builder.getPtrTy());
  }

  llvm::Function& function_;
  Value* anchor_;
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

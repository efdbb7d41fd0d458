// SPDX-License-Identifier: MIT
#include "race_jit/lower/instrument.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "race_jit/bitcode/shared_layout.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/inline_check.h"

namespace weakspot::race_jit {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, SiteTable& sites, bool plain)
      : module_(module), sites_(sites), layout_(module.getDataLayout()), plain_(plain) {
    IRBuilder<> builder(module.getContext());
    access_ =
        module.getOrInsertFunction("weakspot_access", builder.getPtrTy(), builder.getPtrTy(), builder.getInt64Ty(),
                                   builder.getInt32Ty(), builder.getInt32Ty(), builder.getInt64Ty());
    auto* hook = llvm::cast<llvm::Function>(access_.getCallee());
    hook->setDoesNotThrow();
    if (!plain_) hook->addFnAttr(llvm::Attribute::Cold);
    part_ = module.getOrInsertFunction("weakspot_part", access_.getFunctionType());
    llvm::cast<llvm::Function>(part_.getCallee())->setDoesNotThrow();
  }

  void run() {
    may_wait_for_memory_ = module_.getFunction("weakspot_atomic") != nullptr;
    std::vector<std::vector<Instruction*>> functions;
    for (llvm::Function& function : module_) {
      std::vector<Instruction*> accesses;
      for (Instruction& instruction : llvm::instructions(function)) {
        if (instruction.mayReadOrWriteMemory()) accesses.push_back(&instruction);
        may_wait_for_memory_ = may_wait_for_memory_ || instruction.isVolatile() || instruction.isAtomic();
      }
      if (!accesses.empty()) functions.push_back(std::move(accesses));
    }
    for (const std::vector<Instruction*>& accesses : functions) {
      // Accesses of a block follow each other here, so the site has to be recorded once for each block.
      const llvm::BasicBlock* block = nullptr;
      for (Instruction* instruction : accesses) {
        first_of_block_ = instruction->getParent() != block;
        visit(*instruction);
        block = instruction->getParent();
      }
      check_in_place();
    }
  }

 private:
  // Memory of this thread alone, of the system, and what the tool itself reads.
  static bool is_private(const Value* pointer) {
    const Value* object = llvm::getUnderlyingObject(pointer, 0);
    if (llvm::isa<llvm::AllocaInst>(object)) return true;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object)) {
      return argument->getParent()->getAttributes().hasParamAttr(argument->getArgNo(), "weakspot-by-value");
    }
    llvm::StringRef name = object->getName();
    if (name.starts_with("weakspot.") || name.starts_with("weakspot_")) return true;
    return name.consume_front("shared.") && name.starts_with(kReservedShared);
  }

  static bool is_ours(const Instruction& instruction) {
    return instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
  }

  void visit(Instruction& instruction) {
    if (is_ours(instruction)) return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return visit_load(*load);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return visit_store(*store);
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      const std::uint64_t size = layout_.getTypeStoreSize(update->getType());
      return atomic(*update, 0, size, kWrite | kUpdate | order_flags(update->getOrdering()));
    }
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      const std::uint64_t size = layout_.getTypeStoreSize(exchange->getCompareOperand()->getType());
      return atomic(*exchange, 0, size, kWrite | kUpdate | order_flags(exchange->getSuccessOrdering()));
    }
    if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
      range(*set, 0, set->getLength(), kWrite);
    } else if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      range(*move, 1, move->getLength(), 0);
      range(*move, 0, move->getLength(), kWrite | kHasBytes, move->getRawSource());
    }
  }

  static std::uint32_t order_flags(llvm::AtomicOrdering order) {
    std::uint32_t flags = kAtomicRead;
    if (llvm::isAcquireOrStronger(order)) flags |= kAcquire;
    if (llvm::isReleaseOrStronger(order)) flags |= kRelease;
    return flags;
  }

  void visit_load(llvm::LoadInst& load) {
    if (is_private(load.getPointerOperand())) return;
    std::uint32_t flags = load.isAtomic() ? order_flags(load.getOrdering()) : load.isVolatile() ? kVolatile : 0u;
    check(load, llvm::LoadInst::getPointerOperandIndex(), layout_.getTypeStoreSize(load.getType()), flags, nullptr);
  }

  void visit_store(llvm::StoreInst& store) {
    if (is_private(store.getPointerOperand())) return;
    std::uint32_t flags = kWrite;
    if (store.isAtomic()) {
      flags |= order_flags(store.getOrdering());
    } else if (store.isVolatile()) {
      flags |= kVolatile;
    }
    const std::uint64_t size = layout_.getTypeStoreSize(store.getValueOperand()->getType());
    check(store, llvm::StoreInst::getPointerOperandIndex(), size, flags, store.getValueOperand());
  }

  void atomic(Instruction& instruction, unsigned operand, std::uint64_t size, std::uint32_t flags) {
    if (is_private(instruction.getOperand(operand))) return;
    check(instruction, operand, size, flags, nullptr);
  }

  // `source`: the address of what is written, if it is known.
  void range(Instruction& instruction, unsigned operand, Value* length, std::uint32_t flags, Value* source = nullptr) {
    if (is_private(instruction.getOperand(operand))) return;
    IRBuilder<> builder(&instruction);
    call(builder, instruction, operand, builder.CreateZExtOrTrunc(length, builder.getInt64Ty()), 0, flags, source,
         access_);
  }

  // Whether values of the type can be passed as 64 bits.
  bool fits(Type* type) const { return layout_.getTypeSizeInBits(type) <= 64 && !type->isAggregateType(); }

  // The value that a store writes, as 64 bits.
  Value* as_bits(IRBuilder<>& builder, Value* value) {
    Type* type = value->getType();
    const std::uint64_t bits = layout_.getTypeSizeInBits(type);
    if (type->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
    if (!type->isIntegerTy()) value = builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(bits)));
    return builder.CreateZExt(value, builder.getInt64Ty());
  }

  // The address of a copy of the value, for one that does not fit.
  static Value* as_bytes(IRBuilder<>& builder, Value* value) {
    llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> first(&entry, entry.begin());
    llvm::AllocaInst* copy = first.CreateAlloca(value->getType());
    builder.CreateStore(value, copy);
    return builder.CreatePtrToInt(copy, builder.getInt64Ty());
  }

  void check(Instruction& instruction, unsigned operand, std::uint64_t size, std::uint32_t flags, Value* stored) {
    const bool words = size == 4 || size == 8 || size == 16;
    if (!plain_ && words && (flags & ~kWrite) == 0) {
      const race::SiteId site = sites_.of(instruction, instruction.getOperand(operand), size);
      in_place_.push_back({&instruction, operand, size, flags, stored, site, first_of_block_});
      return;
    }
    IRBuilder<> builder(&instruction);
    if (!plain_ && size <= 2 && (flags & ~kWrite) == 0) {
      call(builder, instruction, operand, builder.getInt64(size), size, flags, stored, part_);
    } else {
      call(builder, instruction, operand, builder.getInt64(size), size, flags, stored, access_);
    }
  }

  // A plain access of whole words.
  struct InPlace {
    Instruction* instruction = nullptr;
    unsigned operand = 0;
    std::uint64_t size = 0;
    std::uint32_t flags = 0;
    Value* stored = nullptr;
    race::SiteId site = 0;
    bool first_of_block = false;
  };

  // The last access first: each parts its block and moves what stands behind it, which is then little.
  void check_in_place() {
    if (in_place_.empty()) return;
    InlineCheck check(*in_place_.front().instruction->getFunction());
    for (const InPlace& one : llvm::reverse(in_place_)) check_in_place(check, one);
    check.finish();
    in_place_.clear();
  }

  void check_in_place(InlineCheck& check, const InPlace& one) {
    Value* pointer = one.instruction->getOperand(one.operand);
    IRBuilder<> builder(one.instruction);
    PlainAccess access;
    access.pointer = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    access.words = static_cast<unsigned>(one.size / 4);
    access.write = (one.flags & kWrite) != 0;
    access.space = guess_space(pointer);
    access.site = one.site;
    access.note_site = one.first_of_block;
    access.note_write = access.write && may_wait_for_memory_;
    Value* checked = check.access(*one.instruction, access, [&](IRBuilder<>& slow) -> Value* {
      llvm::CallInst* asked =
          ask(access_, slow, access.pointer, slow.getInt64(one.size), one.flags | kCounted, one.site, one.stored);
      asked->addFnAttr(llvm::Attribute::get(slow.getContext(), "weakspot-plain"));
      return asked;
    });
    builder.SetInsertPoint(one.instruction);
    one.instruction->setOperand(one.operand, builder.CreateAddrSpaceCast(checked, pointer->getType()));
  }

  llvm::CallInst* ask(llvm::FunctionCallee hook, IRBuilder<>& builder, Value* generic, Value* size, std::uint32_t flags,
                      race::SiteId site, Value* stored) {
    Value* value = builder.getInt64(0);
    if ((flags & kHasBytes) != 0) {
      value = builder.CreatePtrToInt(builder.CreateAddrSpaceCast(stored, builder.getPtrTy()), builder.getInt64Ty());
    } else if (stored != nullptr && fits(stored->getType())) {
      value = as_bits(builder, stored);
      flags |= kHasValue;
    } else if (stored != nullptr) {
      value = as_bytes(builder, stored);
      flags |= kHasBytes;
    }
    return builder.CreateCall(hook, {generic, size, builder.getInt32(flags), builder.getInt32(site), value});
  }

  void call(IRBuilder<>& builder, Instruction& instruction, unsigned operand, Value* size, std::uint64_t known_size,
            std::uint32_t flags, Value* stored, llvm::FunctionCallee hook) {
    Value* pointer = instruction.getOperand(operand);
    const race::SiteId site = sites_.of(instruction, pointer, known_size);
    Value* checked =
        ask(hook, builder, builder.CreateAddrSpaceCast(pointer, builder.getPtrTy()), size, flags, site, stored);
    instruction.setOperand(operand, builder.CreateAddrSpaceCast(checked, pointer->getType()));
  }

  llvm::Module& module_;
  SiteTable& sites_;
  const llvm::DataLayout& layout_;
  bool plain_;
  llvm::FunctionCallee access_, part_;
  bool may_wait_for_memory_ = false;
  bool first_of_block_ = true;
  std::vector<InPlace> in_place_;  // of the function at hand
};

}  // namespace

void instrument(llvm::Module& module, SiteTable& sites, bool plain) { Instrumenter(module, sites, plain).run(); }

}  // namespace weakspot::race_jit

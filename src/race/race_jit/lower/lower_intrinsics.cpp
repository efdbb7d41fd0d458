// SPDX-License-Identifier: MIT
// Operations that reach the module as LLVM's intrinsics and atomic instructions, which is how clang's own CUDA headers
// spell them, as calls of the same hooks that our headers lead to.
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstddef>
#include <optional>

#include "race_jit/bitcode/read_only.h"
#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/amd_scopes.h"
#include "race_jit/lower/amdgcn.h"
#include "race_jit/lower/lower.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {
namespace {

using llvm::Instruction;
using llvm::StringRef;
using llvm::Type;
using llvm::Value;

// The function of the source that the instruction was written in.
const llvm::DISubprogram* written_in(const Instruction& instruction) {
  const llvm::DILocation* location = instruction.getDebugLoc();
  return location == nullptr ? nullptr : location->getScope()->getSubprogram();
}

class IntrinsicLowering {
 public:
  IntrinsicLowering(Instruction& instruction, SiteTable& sites)
      : instruction_(instruction), sites_(sites), builder_(&instruction) {}

  bool update(llvm::AtomicRMWInst& update) {
    const std::optional<AtomicOp> operation = operation_of(update);
    if (!operation) return false;
    finish(atomic(update.getPointerOperand(), *operation, scope(update.getSyncScopeID()), order(update.getOrdering()),
                  update.getValOperand(), nullptr, update.getType()));
    return true;
  }

  // A fence of a single thread is for the compiler.
  bool fence(const llvm::FenceInst& fence) {
    if (fence.getSyncScopeID() != llvm::SyncScope::SingleThread) {
      const bool sc = fence.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
      // What lies within a wave has no number: the fence orders nothing between others.
      const std::optional<int> scope =
          !is_amdgcn(*instruction_.getModule()) ? kSystemScope : amd_scope(fence.getContext(), fence.getSyncScopeID());
      if (scope) {
        const int memory = fenced_memory(fence).value_or(kAllMemory);
        hook("weakspot_fence", builder_.getVoidTy(),
             {number(*scope), number((sc ? kScFence : bits_of(fence.getOrdering())) + memory)});
      }
    }
    finish(nullptr);
    return true;
  }

  // AMD's only: atomic accesses of other GPUs are lowered where accesses are instrumented.
  bool load(llvm::LoadInst& load) {
    if (!is_amdgcn(*instruction_.getModule()) || size_of(load.getType()) > 8) return false;
    finish(atomic(load.getPointerOperand(), kLoad, scope(load.getSyncScopeID()), bits_of(load.getOrdering()),
                  builder_.getInt64(0), nullptr, load.getType()));
    return true;
  }
  bool store(llvm::StoreInst& store) {
    Type* type = store.getValueOperand()->getType();
    if (!is_amdgcn(*instruction_.getModule()) || size_of(type) > 8) return false;
    atomic(store.getPointerOperand(), kStore, scope(store.getSyncScopeID()), bits_of(store.getOrdering()),
           store.getValueOperand(), nullptr, type);
    finish(nullptr);
    return true;
  }

  bool exchange(llvm::AtomicCmpXchgInst& exchange) {
    Type* type = exchange.getCompareOperand()->getType();
    if (size_of(type) > 8) return false;
    Value* old =
        atomic(exchange.getPointerOperand(), kCompareExchange, scope(exchange.getSyncScopeID()),
               order(exchange.getSuccessOrdering()), exchange.getNewValOperand(), exchange.getCompareOperand(), type);
    Value* done = builder_.CreateICmpEQ(bits(old), bits(exchange.getCompareOperand()));
    Value* both = builder_.CreateInsertValue(llvm::PoisonValue::get(exchange.getType()), old, 0);
    finish(builder_.CreateInsertValue(both, done, 1));
    return true;
  }

  // True if the call was one of the intrinsics of these families.
  bool call(llvm::CallInst& call, StringRef name) {
    if (!name.consume_front("llvm.nvvm.")) return false;
    if (name.consume_front("atomic.")) return atomic_call(call, name);
    if (name.consume_front("shfl.sync.")) return shuffle(call, name);
    if (name.consume_front("vote.")) return vote(call, name);
    if (name.consume_front("match.")) return match(call, name);
    if (name.consume_front("redux.sync.")) return reduce(call, name);
    if (name.starts_with("isspacep.shared")) {
      finish(is_shared(call.getArgOperand(0)));
      return true;
    }
    if (name == "isspacep.global") {
      finish(builder_.CreateNot(is_shared(call.getArgOperand(0))));
      return true;
    }
    if (name == "isspacep.const" || name == "isspacep.local") {
      finish(builder_.getFalse());
      return true;
    }
    if (name == "barrier.sync" || name == "barrier.sync.cnt" || name == "barrier.n" || name == "barrier") {
      return barrier(call);
    }
    if (name.starts_with("texsurf.handle")) {
      // The variable holds the handle of what is bound to it.
      llvm::LoadInst* handle = builder_.CreateLoad(call.getType(), call.getArgOperand(call.arg_size() - 1));
      handle->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
      finish(handle);
      return true;
    }
    if (name.starts_with("cp.async.c")) return copy(call, name);
    if (name == "fns") {
      const llvm::FunctionCallee found =
          instruction_.getModule()->getOrInsertFunction("__nv_fns", call.getFunctionType());
      finish(builder_.CreateCall(found, {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)}));
      return true;
    }
    if (name.starts_with("ldg.global.") || name.starts_with("ldu.global.")) {
      llvm::LoadInst* load =
          builder_.CreateAlignedLoad(call.getType(), call.getArgOperand(0),
                                     llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getMaybeAlignValue());
      mark_read_only(*load);
      finish(load);
      return true;
    }
    return false;
  }

 private:
  void finish(Value* value) {
    if (!instruction_.getType()->isVoidTy()) instruction_.replaceAllUsesWith(value);
    instruction_.eraseFromParent();
  }

  std::uint64_t size_of(Type* type) const { return instruction_.getModule()->getDataLayout().getTypeStoreSize(type); }
  Value* number(int value) { return builder_.getInt32(static_cast<std::uint32_t>(value)); }

  Value* bits(Value* value) {
    Type* type = value->getType();
    if (type->isPointerTy()) return builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    if (!type->isIntegerTy()) {
      value = builder_.CreateBitCast(value, builder_.getIntNTy(static_cast<unsigned>(size_of(type) * 8)));
    }
    return builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
  }
  Value* from_bits(Value* value, Type* type) {
    if (type->isPointerTy()) return builder_.CreateIntToPtr(value, type);
    if (type->isIntegerTy()) return builder_.CreateZExtOrTrunc(value, type);
    Type* same_size = builder_.getIntNTy(static_cast<unsigned>(size_of(type) * 8));
    return builder_.CreateBitCast(builder_.CreateTrunc(value, same_size), type);
  }

  Value* hook(const char* name, Type* result, std::vector<Value*> arguments) {
    arguments.push_back(number(sites_.of(instruction_)));
    std::vector<Type*> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    return builder_.CreateCall(
        instruction_.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
  }

  Value* atomic(Value* pointer, AtomicOp operation, int scope, int order, Value* operand, Value* compare, Type* type) {
    Value* generic = builder_.CreateAddrSpaceCast(pointer, builder_.getPtrTy());
    Value* old = hook("weakspot_atomic", builder_.getInt64Ty(),
                      {generic, number(operation), number(static_cast<int>(size_of(type))), number(scope),
                       number(order), bits(operand), compare == nullptr ? builder_.getInt64(0) : bits(compare)});
    return from_bits(old, type);
  }

  int scope(llvm::SyncScope::ID id) const {
    if (!is_amdgcn(*instruction_.getModule())) return kDeviceScope;
    return amd_scope(instruction_.getContext(), id).value_or(kBlockScope);
  }

  // clang writes CUDA's atomic functions, which are relaxed, as if they were sequentially consistent.
  int order(llvm::AtomicOrdering ordering) const {
    const llvm::DISubprogram* function = written_in(instruction_);
    if (function != nullptr && function->getFilename().ends_with("__clang_cuda_device_functions.h")) {
      return kRelaxedOrder;
    }
    return bits_of(ordering);
  }
  static int bits_of(llvm::AtomicOrdering ordering) {
    return (llvm::isAcquireOrStronger(ordering) ? kAcquireOrder : 0) |
           (llvm::isReleaseOrStronger(ordering) ? kReleaseOrder : 0);
  }

  std::optional<AtomicOp> operation_of(const llvm::AtomicRMWInst& update) const {
    Type* type = update.getType();
    if (size_of(type) > 8) return std::nullopt;
    switch (update.getOperation()) {
      case llvm::AtomicRMWInst::Xchg:
        return kExchange;
      case llvm::AtomicRMWInst::Add:
        return kAdd;
      case llvm::AtomicRMWInst::Sub:
        return kSub;
      case llvm::AtomicRMWInst::And:
        return kAnd;
      case llvm::AtomicRMWInst::Or:
        return kOr;
      case llvm::AtomicRMWInst::Xor:
        return kXor;
      case llvm::AtomicRMWInst::Max:
        return kMaxSigned;
      case llvm::AtomicRMWInst::Min:
        return kMinSigned;
      case llvm::AtomicRMWInst::UMax:
        return kMaxUnsigned;
      case llvm::AtomicRMWInst::UMin:
        return kMinUnsigned;
      case llvm::AtomicRMWInst::UIncWrap:
        return kIncrement;
      case llvm::AtomicRMWInst::UDecWrap:
        return kDecrement;
      case llvm::AtomicRMWInst::FAdd:
        return floating_add(type);
      case llvm::AtomicRMWInst::FMin:
        return type->isFloatTy()    ? std::optional(kMinFloat)
               : type->isDoubleTy() ? std::optional(kMinDouble)
                                    : std::nullopt;
      case llvm::AtomicRMWInst::FMax:
        return type->isFloatTy()    ? std::optional(kMaxFloat)
               : type->isDoubleTy() ? std::optional(kMaxDouble)
                                    : std::nullopt;
      default:
        return std::nullopt;
    }
  }
  static std::optional<AtomicOp> floating_add(const Type* type) {
    if (type->isFloatTy()) return kAddFloat;
    if (type->isDoubleTy()) return kAddDouble;
    if (type->isHalfTy()) return kAddHalf;
    if (type->isBFloatTy()) return kAddBfloat;
    const auto* pair = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (pair == nullptr || pair->getNumElements() != 2) return std::nullopt;
    if (pair->getElementType()->isHalfTy()) return kAddHalf2;
    if (pair->getElementType()->isBFloatTy()) return kAddBfloat2;
    return std::nullopt;
  }

  // load.inc.32.p0, add.gen.f.cta.f32.p0, min.gen.i.sys.i64.p0
  bool atomic_call(llvm::CallInst& call, StringRef name) {
    const bool old_form = name.consume_front("load.");
    const StringRef what = name.take_until([](char c) { return c == '.'; });
    std::uint32_t scope = kDeviceScope;
    if (!old_form) scope = name.contains(".cta.") ? kBlockScope : kSystemScope;
    const std::optional<AtomicOp> operation = named_operation(call, what);
    if (!operation) return false;
    const bool compares = *operation == kCompareExchange;
    finish(atomic(call.getArgOperand(0), *operation, scope, kRelaxedOrder, call.getArgOperand(compares ? 2 : 1),
                  compares ? call.getArgOperand(1) : nullptr, call.getType()));
    return true;
  }
  // The intrinsic of min and max is the same for all integers; the function that calls it, __uAtomicMin_block, is not.
  std::optional<AtomicOp> named_operation(const llvm::CallInst& call, StringRef what) const {
    const llvm::DISubprogram* function = written_in(call);
    const bool is_unsigned = function != nullptr && function->getName().starts_with("__u");
    if (what == "add") return call.getType()->isIntegerTy() ? kAdd : floating_add(call.getType());
    if (what == "exch") return kExchange;
    if (what == "cas") return kCompareExchange;
    if (what == "min") return is_unsigned ? kMinUnsigned : kMinSigned;
    if (what == "max") return is_unsigned ? kMaxUnsigned : kMaxSigned;
    if (what == "and") return kAnd;
    if (what == "or") return kOr;
    if (what == "xor") return kXor;
    if (what == "inc") return kIncrement;
    if (what == "dec") return kDecrement;
    return std::nullopt;
  }

  // In the window of the block's shared memory.
  Value* is_shared(Value* pointer) {
    Value* context = current_context(*instruction_.getFunction());
    llvm::LoadInst* window = builder_.CreateLoad(
        builder_.getPtrTy(),
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context, offsetof(ThreadContext, shared)));
    window->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    Value* offset = builder_.CreateSub(bits(builder_.CreateAddrSpaceCast(pointer, builder_.getPtrTy())), bits(window));
    return builder_.CreateICmpULT(offset, builder_.getInt64(Arena::kWindow));
  }

  // Number and count of threads; number 0 with all of them is __syncthreads().
  bool barrier(llvm::CallInst& call) {
    const auto* which = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    const bool all = call.arg_size() == 1;
    if (all && which != nullptr && which->isZero()) {
      hook("weakspot_barrier", builder_.getVoidTy(), {});
    } else {
      hook("weakspot_named_barrier", builder_.getVoidTy(),
           {number(0), call.getArgOperand(0), all ? number(0) : call.getArgOperand(1)});
    }
    finish(nullptr);
    return true;
  }

  // cp.async.ca.shared.global.16, with another size of the source where it ends in .s
  bool copy(llvm::CallInst& call, StringRef name) {
    const bool other_size = name.consume_back(".s");
    unsigned size = 0;
    if (name.rsplit('.').second.getAsInteger(10, size)) return false;
    Value* whole = builder_.getInt64(size);
    hook("weakspot_async_copy", builder_.getVoidTy(),
         {builder_.CreateAddrSpaceCast(call.getArgOperand(0), builder_.getPtrTy()),
          builder_.CreateAddrSpaceCast(call.getArgOperand(1), builder_.getPtrTy()), whole,
          other_size ? bits(call.getArgOperand(2)) : whole});
    finish(nullptr);
    return true;
  }

  bool shuffle(llvm::CallInst& call, StringRef name) {
    if (call.getType()->isStructTy()) return false;
    const int mode = name.starts_with("idx.")    ? kShuffleIndex
                     : name.starts_with("up.")   ? kShuffleUp
                     : name.starts_with("down.") ? kShuffleDown
                                                 : kShuffleXor;
    Value* clamp = call.getArgOperand(3);
    Value* width = builder_.CreateSub(number(32), builder_.CreateAnd(builder_.CreateLShr(clamp, 8), 31));
    Value* got = hook("weakspot_shuffle", builder_.getInt64Ty(),
                      {call.getArgOperand(0), number(mode), bits(call.getArgOperand(1)), call.getArgOperand(2), width});
    finish(from_bits(got, call.getType()));
    return true;
  }

  Value* ask_warp(Value* mask, int kind, Value* value) {
    return hook("weakspot_vote", builder_.getInt32Ty(), {mask, number(kind), bits(value)});
  }

  bool vote(llvm::CallInst& call, StringRef name) {
    if (!name.ends_with(".sync")) return false;
    const int kind = name.starts_with("all.")   ? kVoteAll
                     : name.starts_with("any.") ? kVoteAny
                     : name.starts_with("uni.") ? kVoteUniform
                                                : kVoteBallot;
    finish(builder_.CreateZExtOrTrunc(ask_warp(call.getArgOperand(0), kind, call.getArgOperand(1)), call.getType()));
    return true;
  }

  bool match(llvm::CallInst& call, StringRef name) {
    const bool all = name.starts_with("all.");
    Value* lanes = ask_warp(call.getArgOperand(0), all ? kMatchAll : kMatchAny, call.getArgOperand(1));
    if (call.getType()->isStructTy()) {
      Value* both = builder_.CreateInsertValue(llvm::PoisonValue::get(call.getType()), lanes, 0);
      finish(builder_.CreateInsertValue(both, builder_.CreateIsNotNull(lanes), 1));
    } else {
      finish(lanes);
    }
    return true;
  }

  bool reduce(llvm::CallInst& call, StringRef name) {
    const int kind = name == "add"    ? kReduceAdd
                     : name == "min"  ? kReduceMinSigned
                     : name == "max"  ? kReduceMaxSigned
                     : name == "umin" ? kReduceMinUnsigned
                     : name == "umax" ? kReduceMaxUnsigned
                     : name == "and"  ? kReduceAnd
                     : name == "or"   ? kReduceOr
                                      : kReduceXor;
    finish(ask_warp(call.getArgOperand(0), kind, call.getArgOperand(1)));  // in the order of clang's header
    return true;
  }

  Instruction& instruction_;
  SiteTable& sites_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

bool lower_intrinsic(llvm::CallInst& call, SiteTable& sites) {
  return IntrinsicLowering(call, sites).call(call, call.getCalledFunction()->getName());
}

bool lower_atomic_instruction(Instruction& instruction, SiteTable& sites) {
  IntrinsicLowering lowering(instruction, sites);
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return lowering.update(*update);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return lowering.exchange(*exchange);
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) return lowering.fence(*fence);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return lowering.load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return lowering.store(*store);
  return false;
}

}  // namespace weakspot::race_jit

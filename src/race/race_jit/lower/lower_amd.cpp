// SPDX-License-Identifier: MIT
// Intrinsics of AMD's target as calls of hooks, or as plain code where they only compute.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <cstddef>

#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/amdgcn.h"
#include "race_jit/lower/lower.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {
namespace {

using llvm::CallInst;
using llvm::Type;
using llvm::Value;

class AmdLowering {
 public:
  AmdLowering(CallInst& call, SiteTable& sites) : call_(call), sites_(sites), builder_(&call) {}

  bool lower() {
    namespace In = llvm::Intrinsic;
    switch (call_.getIntrinsicID()) {
      case In::amdgcn_s_barrier:
        hook("weakspot_bare_barrier", builder_.getVoidTy(), {});
        return finish(nullptr);
      case In::amdgcn_wave_barrier:
        wave(has_fences(call_) ? kWaveSync : kWaveMeet, builder_.getInt32(0), builder_.getInt32(0));
        return finish(nullptr);
      case In::amdgcn_sched_barrier:
      case In::amdgcn_sched_group_barrier:
      case In::amdgcn_iglp_opt:
      case In::amdgcn_s_sleep:
      case In::amdgcn_s_setprio:
      case In::amdgcn_s_nop:
      case In::amdgcn_s_waitcnt:
        return finish(nullptr);
      case In::amdgcn_ballot:
        return finish(wave(kWaveBallot, operand(0), builder_.getInt32(0)));
      case In::amdgcn_readfirstlane:
        return words(kWaveFirst, operand(0), builder_.getInt32(0));
      case In::amdgcn_readlane:
        return words(kWaveRead, operand(0), operand(1));
      case In::amdgcn_ds_bpermute:
        return finish(wave(kWaveRead, operand(1), builder_.CreateLShr(operand(0), 2)));
      case In::amdgcn_ds_permute:
        return finish(wave(kWaveSend, operand(1), builder_.CreateLShr(operand(0), 2)));
      case In::amdgcn_ds_swizzle:
        return finish(wave(kWaveSwizzle, operand(0), operand(1)));
      case In::amdgcn_update_dpp:
        return move(operand(0), operand(1), 2);
      case In::amdgcn_mov_dpp:
        return move(operand(0), operand(0), 1);
      case In::amdgcn_icmp:
        return compare();
      case In::amdgcn_mbcnt_lo:
      case In::amdgcn_mbcnt_hi:
        return count_below(call_.getIntrinsicID() == In::amdgcn_mbcnt_hi);
      case In::amdgcn_wavefrontsize:
        return finish(builder_.getInt32(wave_of_machine()));
      case In::amdgcn_endpgm:
        hook("weakspot_exit", builder_.getVoidTy(), {});
        return finish(nullptr);
      case In::amdgcn_s_memtime:
      case In::amdgcn_s_memrealtime:
        return finish(hook("weakspot_clock", builder_.getInt64Ty(), {}));
      default:
        return compute();
    }
  }

 private:
  Value* operand(unsigned i) { return call_.getArgOperand(i); }

  bool finish(Value* value) {
    if (value != nullptr && !call_.getType()->isVoidTy()) call_.replaceAllUsesWith(fit(value, call_.getType()));
    call_.eraseFromParent();
    return true;
  }

  Value* fit(Value* value, Type* type) {
    if (value->getType() == type) return value;
    if (value->getType()->isIntegerTy() && type->isIntegerTy()) return builder_.CreateZExtOrTrunc(value, type);
    return from_bits(value, type);
  }

  std::uint64_t bits_of(Type* type) const { return call_.getModule()->getDataLayout().getTypeSizeInBits(type); }
  Value* as_bits(Value* value) {
    Type* type = value->getType();
    if (type->isPointerTy()) return builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    if (!type->isIntegerTy()) value = builder_.CreateBitCast(value, builder_.getIntNTy(unsigned(bits_of(type))));
    return builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
  }
  Value* from_bits(Value* value, Type* type) {
    if (type->isPointerTy()) return builder_.CreateIntToPtr(value, type);
    return builder_.CreateBitCast(builder_.CreateTrunc(value, builder_.getIntNTy(unsigned(bits_of(type)))), type);
  }

  Value* hook(const char* name, Type* result, std::vector<Value*> arguments) {
    arguments.push_back(builder_.getInt32(sites_.of(call_)));
    std::vector<Type*> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    return builder_.CreateCall(
        call_.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
  }

  Value* wave(WaveKind kind, Value* value, Value* lane) {
    return hook("weakspot_wave", builder_.getInt64Ty(),
                {builder_.getInt32(kind), as_bits(value), builder_.CreateZExtOrTrunc(lane, builder_.getInt32Ty())});
  }

  // Values of up to 64 bits go in one piece.
  bool words(WaveKind kind, Value* value, Value* lane) {
    if (bits_of(value->getType()) > 64) return false;
    return finish(wave(kind, value, lane));
  }

  // Data-parallel primitives: a lane reads another that the instruction names, with masks of lanes that take part.
  bool move(Value* old, Value* value, unsigned first) {
    if (bits_of(value->getType()) > 64) return false;
    return finish(hook("weakspot_wave_move", builder_.getInt64Ty(),
                       {as_bits(old), as_bits(value), operand(first), operand(first + 1), operand(first + 2),
                        builder_.CreateZExt(operand(first + 3), builder_.getInt32Ty())}));
  }

  bool compare() {
    const auto* predicate = llvm::dyn_cast<llvm::ConstantInt>(operand(2));
    if (predicate == nullptr) return false;
    const auto which = static_cast<llvm::CmpInst::Predicate>(predicate->getZExtValue());
    if (!llvm::CmpInst::isIntPredicate(which)) return false;
    return finish(wave(kWaveBallot, builder_.CreateICmp(which, operand(0), operand(1)), builder_.getInt32(0)));
  }

  unsigned wave_of_machine() const { return wave_noted(*call_.getModule()); }

  Value* lane() {
    Value* context = current_context(*call_.getFunction());
    Value* field = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context, offsetof(ThreadContext, number));
    llvm::LoadInst* load = builder_.CreateLoad(builder_.getInt32Ty(), field);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    return builder_.CreateAnd(load, wave_of_machine() - 1);
  }

  // Bits of the mask below the lane, plus a number; the mask is of the lanes below 32, or of those from there on.
  bool count_below(bool high) {
    Value* self = lane();
    Value* mask = builder_.CreateZExt(operand(0), builder_.getInt64Ty());
    if (high) mask = builder_.CreateShl(mask, 32);
    Value* below =
        builder_.CreateSub(builder_.CreateShl(builder_.getInt64(1), builder_.CreateZExt(self, builder_.getInt64Ty())),
                           builder_.getInt64(1));
    Value* count = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, builder_.CreateAnd(mask, below));
    return finish(builder_.CreateAdd(builder_.CreateTrunc(count, builder_.getInt32Ty()), operand(1)));
  }

  bool unary(llvm::Intrinsic::ID id) { return finish(builder_.CreateUnaryIntrinsic(id, operand(0))); }
  Value* one() { return llvm::ConstantFP::get(call_.getType(), 1.0); }
  // As if in 24 bits, with or without sign.
  Value* short_of(Value* value, bool is_signed) {
    Value* up = builder_.CreateShl(value, 8);
    return is_signed ? builder_.CreateAShr(up, 8) : builder_.CreateLShr(up, 8);
  }

  // Instructions of one lane.
  bool compute() {
    namespace In = llvm::Intrinsic;
    switch (call_.getIntrinsicID()) {
      case In::amdgcn_rcp:
        return finish(builder_.CreateFDiv(one(), operand(0)));
      case In::amdgcn_rsq:
        return finish(builder_.CreateFDiv(one(), builder_.CreateUnaryIntrinsic(In::sqrt, operand(0))));
      case In::amdgcn_sqrt:
        return unary(In::sqrt);
      case In::amdgcn_exp2:
        return unary(In::exp2);
      case In::amdgcn_log:
        return unary(In::log2);
      case In::amdgcn_fract:
        return finish(builder_.CreateFSub(operand(0), builder_.CreateUnaryIntrinsic(In::floor, operand(0))));
      case In::amdgcn_fmed3: {
        Value* low = builder_.CreateMinNum(operand(0), operand(1));
        Value* high = builder_.CreateMaxNum(operand(0), operand(1));
        return finish(builder_.CreateMaxNum(low, builder_.CreateMinNum(high, operand(2))));
      }
      case In::amdgcn_mul_i24:
      case In::amdgcn_mul_u24: {
        const bool is_signed = call_.getIntrinsicID() == In::amdgcn_mul_i24;
        Value* product = builder_.CreateMul(short_of(operand(0), is_signed), short_of(operand(1), is_signed));
        return finish(product);
      }
      case In::amdgcn_is_shared: {
        Value* context = current_context(*call_.getFunction());
        Value* field =
            builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context, offsetof(ThreadContext, shared));
        llvm::LoadInst* window = builder_.CreateLoad(builder_.getPtrTy(), field);
        window->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
        Value* offset = builder_.CreateSub(as_bits(operand(0)), as_bits(window));
        return finish(builder_.CreateICmpULT(offset, builder_.getInt64(Arena::kWindow)));
      }
      case In::amdgcn_is_private:
        return finish(builder_.getFalse());
      default:
        return false;
    }
  }

  CallInst& call_;
  SiteTable& sites_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

bool lower_amd_intrinsic(CallInst& call, SiteTable& sites) { return AmdLowering(call, sites).lower(); }

}  // namespace weakspot::race_jit

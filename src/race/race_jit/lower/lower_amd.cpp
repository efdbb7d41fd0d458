// SPDX-License-Identifier: MIT
// Intrinsics of AMD's target as calls of hooks, or as plain code where they only compute.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <cstddef>

#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/hooks/wave_products.h"
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
      case In::amdgcn_mov_dpp8:
        return read_by_table(operand(1), 8, 3);
      case In::amdgcn_permlane64:
        return words(kWaveRead, operand(0), builder_.CreateXor(lane(), 32));
      case In::amdgcn_global_load_lds:
        return copy_to_shared();
      case In::amdgcn_icmp:
      case In::amdgcn_fcmp:
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
        return product() || compute();
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
    const bool whole = call_.getIntrinsicID() == llvm::Intrinsic::amdgcn_icmp;
    if (whole ? !llvm::CmpInst::isIntPredicate(which) : !llvm::CmpInst::isFPPredicate(which)) return false;
    return finish(wave(kWaveBallot, builder_.CreateCmp(which, operand(0), operand(1)), builder_.getInt32(0)));
  }

  // Each lane reads its own address, and writes behind the first lane's address by its number: at once here.
  bool copy_to_shared() {
    const std::uint64_t size = llvm::cast<llvm::ConstantInt>(operand(2))->getZExtValue();
    Type* type = size <= 4 ? static_cast<Type*>(builder_.getIntNTy(static_cast<unsigned>(8 * size)))
                           : llvm::FixedVectorType::get(builder_.getInt32Ty(), static_cast<unsigned>(size / 4));
    const llvm::Align aligned(size <= 4 ? size : 4);
    Value* offset = operand(3);
    Value* from = builder_.CreatePtrAdd(operand(0), offset);
    Value* first = from_bits(wave(kWaveFirst, operand(1), builder_.getInt32(0)), operand(1)->getType());
    Value* behind = builder_.CreateMul(lane(), builder_.getInt32(static_cast<std::uint32_t>(size <= 4 ? 4 : size)));
    Value* to = builder_.CreatePtrAdd(first, builder_.CreateAdd(behind, offset));
    builder_.CreateAlignedStore(builder_.CreateAlignedLoad(type, from, aligned), to, aligned);
    return finish(nullptr);
  }

  // Operands that change the order of blocks or negate stay as they are, and are not modelled.
  bool product() {
    llvm::StringRef name = call_.getCalledFunction()->getName();
    if (!name.consume_front("llvm.amdgcn.mfma.") || wave_of_machine() != 64) return false;
    const auto shape = wave_product(name, static_cast<unsigned>(bits_of(operand(0)->getType())));
    if (!shape || bits_of(call_.getType()) != std::uint64_t{32} * shape->results()) return false;
    for (unsigned i = 3; i < call_.arg_size(); ++i) {
      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operand(i));
      if (number == nullptr || !number->isZero()) return false;
    }
    llvm::BasicBlock& entry = call_.getFunction()->getEntryBlock();
    llvm::IRBuilder<> first(&entry, entry.getFirstInsertionPt());
    std::vector<Value*> arguments{builder_.getInt32(shape->packed())};
    for (unsigned i = 0; i < 3; ++i) {
      arguments.push_back(first.CreateAlloca(operand(i)->getType()));
      builder_.CreateStore(operand(i), arguments.back());
    }
    Value* result = first.CreateAlloca(call_.getType());
    arguments.push_back(result);
    hook("weakspot_wave_product", builder_.getVoidTy(), std::move(arguments));
    return finish(builder_.CreateLoad(call_.getType(), result));
  }

  // A lane reads one of its group, whose number is in the table of all lanes of a group.
  bool read_by_table(Value* table, unsigned group, unsigned bits) {
    if (bits_of(call_.getType()) > 64) return false;
    Value* in_group = builder_.CreateAnd(lane(), group - 1);
    Value* from = builder_.CreateLShr(table, builder_.CreateMul(in_group, builder_.getInt32(bits)));
    from = builder_.CreateAnd(from, group - 1);
    return words(kWaveRead, operand(0), builder_.CreateAdd(builder_.CreateSub(lane(), in_group), from));
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

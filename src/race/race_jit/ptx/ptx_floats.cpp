// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_floats.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>
#include <map>

namespace weakspot::race_jit {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;
namespace intrinsic = llvm::Intrinsic;

constexpr FloatKind kFloatKinds[] = {{"f16", 16, false, 0x7c00},     {"bf16", 16, false, 0x7f80},
                                     {"f16x2", 16, true, 0x7c00},    {"bf16x2", 16, true, 0x7f80},
                                     {"f32", 32, false, 0x7f800000}, {"f64", 64, false, 0x7ff0000000000000}};

class FloatLowering {
 public:
  FloatLowering(PtxBuilder& builder, const PtxInstruction& instruction)
      : builder_(builder), instruction_(instruction), name_(instruction.opcode.front()) {}

  Value* result(const std::vector<Value*>& operands) {
    const FloatKind* kind = float_kind(instruction_.opcode.back());
    if (kind == nullptr) return nullptr;
    if (!kind->pair) return scalar(*kind, operands);
    Value* both = builder_.getInt32(0);
    for (unsigned half = 0; half < 2; ++half) {
      std::vector<Value*> part;
      for (Value* operand : operands) {
        Value* word = ptx_resized(builder_, operand, 32);
        part.push_back(ptx_resized(builder_, builder_.CreateLShr(word, 16 * half), 16));
      }
      Value* made = scalar(*kind, part);
      if (made == nullptr) return nullptr;
      both = builder_.CreateOr(both, builder_.CreateShl(ptx_resized(builder_, made, 32), 16 * half));
    }
    return both;
  }

 private:
  Value* call(ID id, const std::vector<Value*>& arguments) {
    return builder_.CreateIntrinsic(id, {arguments.front()->getType()}, arguments);
  }
  Value* constant(const Value* like, double number) { return llvm::ConstantFP::get(like->getType(), number); }

  Value* scalar(const FloatKind& kind, const std::vector<Value*>& operands) {
    const bool flushes = instruction_.has("ftz");
    std::vector<Value*> given, numbers;
    for (Value* operand : operands) {
      Value* bits = ptx_resized(builder_, operand, kind.bits);
      given.push_back(flushes ? ptx_flushed(builder_, bits, kind) : bits);
      numbers.push_back(ptx_number(builder_, given.back(), kind));
    }
    if (Value* made = of_bits(kind, given, numbers)) return made;
    Value* made = fused_small(kind, numbers);
    if (made == nullptr) made = rounded(kind, numbers);
    if (made == nullptr && ptx_rounding(instruction_).empty()) made = computed(numbers);
    if (made == nullptr) return nullptr;
    if (instruction_.has("sat")) made = ptx_saturated(builder_, made);
    if (instruction_.has("relu")) {
      made = builder_.CreateSelect(builder_.CreateFCmpOLT(made, constant(made, 0)), constant(made, 0), made);
    }
    Value* bits = ptx_bits(builder_, made, kind);
    return flushes ? ptx_flushed(builder_, bits, kind) : bits;
  }

  // Signs change also if the rest is not a number.
  Value* of_bits(const FloatKind& kind, const std::vector<Value*>& bits, const std::vector<Value*>& numbers) {
    llvm::Type* type = builder_.getIntNTy(kind.bits);
    Value* sign = llvm::ConstantInt::get(type, std::uint64_t{1} << (kind.bits - 1));
    if (bits.size() == 1) {
      if (name_ == "neg") return builder_.CreateXor(bits[0], sign);
      if (name_ == "abs") return builder_.CreateAnd(bits[0], builder_.CreateNot(sign));
      return name_ == "testp" ? tested(kind, bits[0], numbers[0]) : nullptr;
    }
    if (bits.size() == 2 && name_ == "copysign") {
      return builder_.CreateOr(builder_.CreateAnd(bits[1], builder_.CreateNot(sign)),
                               builder_.CreateAnd(bits[0], sign));
    }
    return nullptr;
  }

  Value* tested(const FloatKind& kind, Value* bits, Value* number) {
    Value* size = call(intrinsic::fabs, {number});
    Value* finite = builder_.CreateFCmpOLT(size, llvm::ConstantFP::getInfinity(number->getType()));
    Value* exponent = builder_.CreateIsNotNull(builder_.CreateAnd(bits, kind.exponent));
    Value* holds = nullptr;
    if (instruction_.has("finite")) holds = finite;
    if (instruction_.has("infinite"))
      holds = builder_.CreateFCmpOEQ(size, builder_.CreateFDiv(constant(size, 1), constant(size, 0)));
    if (instruction_.has("number")) holds = builder_.CreateFCmpORD(number, number);
    if (instruction_.has("notanumber")) holds = builder_.CreateFCmpUNO(number, number);
    if (instruction_.has("normal")) holds = builder_.CreateAnd(finite, exponent);
    if (instruction_.has("subnormal")) {
      holds = builder_.CreateAnd(builder_.CreateNot(exponent), builder_.CreateFCmpONE(number, constant(number, 0)));
    }
    return holds == nullptr ? nullptr : builder_.CreateZExt(holds, builder_.getInt32Ty());
  }

  // fma of 16 bits. Products are exact in a double, and so is the error of the sum; a sum that is not exact gets an odd
  // last bit, so that the format's own rounding is the only one.
  Value* fused_small(const FloatKind& kind, const std::vector<Value*>& n) {
    if (kind.bits != 16 || n.size() != 3 || name_ != "fma") return nullptr;
    llvm::Type* wide = builder_.getDoubleTy();
    auto widened = [&](Value* v) { return builder_.CreateFPExt(v, wide); };
    Value* product = builder_.CreateFMul(widened(n[0]), widened(n[1]));
    Value* added = widened(n[2]);
    Value* sum = builder_.CreateFAdd(product, added);
    Value* taken = builder_.CreateFSub(sum, product);
    Value* error = builder_.CreateFAdd(builder_.CreateFSub(product, builder_.CreateFSub(sum, taken)),
                                       builder_.CreateFSub(added, taken));
    Value* bits = builder_.CreateBitCast(sum, builder_.getInt64Ty());
    Value* zero = constant(sum, 0);
    // The sum has gone beyond the exact one if its error has the other sign.
    Value* other_way = builder_.CreateXor(builder_.CreateBitCast(error, builder_.getInt64Ty()), bits);
    Value* too_large = builder_.CreateICmpSLT(other_way, builder_.getInt64(0));
    Value* odd = builder_.CreateOr(builder_.CreateSub(bits, builder_.CreateZExt(too_large, builder_.getInt64Ty())), 1);
    bits = builder_.CreateSelect(builder_.CreateFCmpONE(error, zero), odd, bits);
    return ptx_float_to_odd(builder_, builder_.CreateBitCast(bits, wide));
  }

  // Rounded toward zero, down or up, by the functions of the mathematical library.
  Value* rounded(const FloatKind& kind, const std::vector<Value*>& n) {
    const std::string mode = ptx_rounding(instruction_);
    if (mode.empty() || kind.bits == 16) return nullptr;
    static const std::map<std::string, std::size_t> kOperands = {{"add", 2}, {"sub", 2},  {"mul", 2}, {"div", 2},
                                                                 {"rcp", 1}, {"sqrt", 1}, {"fma", 3}, {"mad", 3}};
    auto found = kOperands.find(name_);
    if (found == kOperands.end() || found->second != n.size()) return nullptr;
    const bool wide = kind.bits == 64;
    const std::string function = n.size() == 3 ? (wide ? "fma" : "fmaf") : (wide ? "d" : "f") + name_;
    return ptx_call(builder_, "__nv_" + function + mode, n[0]->getType(), n);
  }

  // min and max leave out what is not a number, unless they pass it on, and order zeros by their sign.
  Value* extreme(const std::vector<Value*>& n) {
    Value* made = n[0];
    if (instruction_.has("xorsign") && n.size() != 2) return nullptr;
    for (std::size_t i = 1; i < n.size(); ++i) {
      Value *a = made, *b = n[i];
      if (instruction_.has("abs")) {
        if (i == 1) a = call(intrinsic::fabs, {a});
        b = call(intrinsic::fabs, {b});
      }
      Value* both = call(name_ == "min" ? intrinsic::minimum : intrinsic::maximum, {a, b});
      if (!instruction_.has("NaN")) {
        both = builder_.CreateSelect(builder_.CreateFCmpUNO(b, b), a, both);
        both = builder_.CreateSelect(builder_.CreateFCmpUNO(a, a), b, both);
      }
      made = both;
    }
    if (!instruction_.has("xorsign")) return made;
    Value* sign = builder_.CreateFMul(call(intrinsic::copysign, {constant(made, 1), n[0]}),
                                      call(intrinsic::copysign, {constant(made, 1), n[1]}));
    return call(intrinsic::copysign, {made, sign});
  }

  Value* computed(const std::vector<Value*>& n) {
    if (name_ == "min" || name_ == "max") return n.size() == 2 || n.size() == 3 ? extreme(n) : nullptr;
    if (n.size() == 1) {
      if (name_ == "mov") return n[0];
      static const std::map<std::string, ID> kUnary = {{"sqrt", intrinsic::sqrt},
                                                       {"ex2", intrinsic::exp2},
                                                       {"lg2", intrinsic::log2},
                                                       {"sin", intrinsic::sin},
                                                       {"cos", intrinsic::cos}};
      if (auto found = kUnary.find(name_); found != kUnary.end()) return call(found->second, n);
      if (name_ == "tanh") return ptx_call(builder_, "__nv_tanhf", n[0]->getType(), n);
      if (name_ == "rcp") return builder_.CreateFDiv(constant(n[0], 1), n[0]);
      if (name_ == "rsqrt") return builder_.CreateFDiv(constant(n[0], 1), call(intrinsic::sqrt, n));
    } else if (n.size() == 2) {
      if (name_ == "add") return builder_.CreateFAdd(n[0], n[1]);
      if (name_ == "sub") return builder_.CreateFSub(n[0], n[1]);
      if (name_ == "mul") return builder_.CreateFMul(n[0], n[1]);
      if (name_ == "div") return builder_.CreateFDiv(n[0], n[1]);
    } else if (n.size() == 3 && (name_ == "fma" || name_ == "mad")) {
      return call(intrinsic::fma, n);
    }
    return nullptr;
  }

  PtxBuilder& builder_;
  const PtxInstruction& instruction_;
  const std::string& name_;
};

}  // namespace

const FloatKind* float_kind(const std::string& word) {
  const auto* found =
      std::find_if(std::begin(kFloatKinds), std::end(kFloatKinds), [&](const FloatKind& k) { return word == k.name; });
  return found == std::end(kFloatKinds) ? nullptr : found;
}

Value* ptx_resized(PtxBuilder& builder, Value* value, unsigned bits) {
  return builder.CreateZExtOrTrunc(value, builder.getIntNTy(bits));
}

Value* ptx_number(PtxBuilder& builder, Value* bits, const FloatKind& kind) {
  bits = ptx_resized(builder, bits, kind.bits);
  if (kind.bits == 64) return builder.CreateBitCast(bits, builder.getDoubleTy());
  if (kind.bits == 32) return builder.CreateBitCast(bits, builder.getFloatTy());
  return ptx_call(builder, kind.is_bfloat() ? "weakspot_bfloat_to_float" : "weakspot_half_to_float",
                  builder.getFloatTy(), {bits});
}

Value* ptx_bits(PtxBuilder& builder, Value* number, const FloatKind& kind) {
  if (kind.bits != 16) return builder.CreateBitCast(number, builder.getIntNTy(kind.bits));
  return ptx_call(builder, kind.is_bfloat() ? "weakspot_float_to_bfloat" : "weakspot_float_to_half",
                  builder.getInt16Ty(), {number});
}

Value* ptx_flushed(PtxBuilder& builder, Value* bits, const FloatKind& kind) {
  Value* sign = builder.CreateAnd(bits, std::uint64_t{1} << (kind.bits - 1));
  Value* small = builder.CreateIsNull(builder.CreateAnd(bits, kind.exponent));
  return builder.CreateSelect(small, sign, bits);
}

Value* ptx_saturated(PtxBuilder& builder, Value* number) {
  Value* zero = llvm::ConstantFP::get(number->getType(), 0.0);
  Value* one = llvm::ConstantFP::get(number->getType(), 1.0);
  Value* above = builder.CreateSelect(builder.CreateFCmpOGT(number, one), one, number);
  return builder.CreateSelect(builder.CreateFCmpOGT(number, zero), above, zero);
}

Value* ptx_float_to_odd(PtxBuilder& builder, Value* number) {
  Value* nearest = builder.CreateFPTrunc(number, builder.getFloatTy());
  Value* back = builder.CreateFPExt(nearest, builder.getDoubleTy());
  Value* outward = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(intrinsic::fabs, back),
                                         builder.CreateUnaryIntrinsic(intrinsic::fabs, number));
  Value* bits = builder.CreateBitCast(nearest, builder.getInt32Ty());
  Value* odd = builder.CreateOr(builder.CreateSub(bits, builder.CreateZExt(outward, builder.getInt32Ty())), 1);
  bits = builder.CreateSelect(builder.CreateFCmpONE(back, number), odd, bits);
  return builder.CreateBitCast(bits, builder.getFloatTy());
}

Value* ptx_call(PtxBuilder& builder, const std::string& name, llvm::Type* result,
                const std::vector<Value*>& arguments) {
  std::vector<llvm::Type*> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)),
                            arguments);
}

std::string ptx_rounding(const PtxInstruction& instruction) {
  if (instruction.has("rz")) return "_rz";
  if (instruction.has("rm")) return "_rd";
  return instruction.has("rp") ? "_ru" : "";
}

std::optional<std::string> ptx_float_type(const PtxInstruction& instruction) {
  for (auto word = instruction.opcode.rbegin(); word != instruction.opcode.rend(); ++word) {
    if (float_kind(*word) != nullptr) return *word;
  }
  return std::nullopt;
}

Value* ptx_float_result(PtxBuilder& builder, const PtxInstruction& instruction, const std::vector<Value*>& operands) {
  return FloatLowering(builder, instruction).result(operands);
}

llvm::Constant* ptx_real(llvm::Type& type, double number) {
  if (type.isIntegerTy(32))
    return llvm::ConstantInt::get(&type, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
  return type.isIntegerTy(64) ? llvm::ConstantInt::get(&type, std::bit_cast<std::uint64_t>(number)) : nullptr;
}

}  // namespace weakspot::race_jit

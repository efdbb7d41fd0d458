// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_floats.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>
#include <map>

namespace weakspot::race_jit {
namespace {

using llvm::Intrinsic::ID;

struct FloatKind {
  const char* name;
  unsigned bits;  // bits of one value
  bool pair;
};
constexpr FloatKind kFloatKinds[] = {{"f16", 16, false},   {"bf16", 16, false}, {"f16x2", 16, true},
                                     {"bf16x2", 16, true}, {"f32", 32, false},  {"f64", 64, false}};

const FloatKind* float_kind(const std::string& word) {
  const auto* found =
      std::find_if(std::begin(kFloatKinds), std::end(kFloatKinds), [&](const FloatKind& k) { return word == k.name; });
  return found == std::end(kFloatKinds) ? nullptr : found;
}

class FloatLowering {
 public:
  explicit FloatLowering(PtxBuilder& builder) : builder_(builder) {}

  llvm::Value* result(const PtxInstruction& instruction, const std::vector<llvm::Value*>& operands) {
    const std::string& name = instruction.opcode.front();
    if (name == "cvt") {
      return operands.size() == 1   ? conversion(instruction, operands[0])
             : operands.size() == 2 ? conversion_to_pair(instruction, operands)
                                    : nullptr;
    }
    const FloatKind* kind = float_kind(instruction.opcode.back());
    if (kind == nullptr) return nullptr;
    if (!kind->pair) return scalar(instruction, *kind, operands);
    llvm::Value* both = builder_.getInt32(0);
    for (unsigned half = 0; half < 2; ++half) {
      std::vector<llvm::Value*> part;
      for (llvm::Value* operand : operands) {
        part.push_back(
            builder_.CreateTrunc(builder_.CreateLShr(resized(operand, 32), 16 * half), builder_.getInt16Ty()));
      }
      llvm::Value* made = scalar(instruction, *kind, part);
      if (made == nullptr || !made->getType()->isIntegerTy(16)) return nullptr;
      both = builder_.CreateOr(both, builder_.CreateShl(resized(made, 32), 16 * half));
    }
    return both;
  }

 private:
  llvm::Value* resized(llvm::Value* value, unsigned bits) {
    return builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(bits));
  }
  llvm::Value* call(const char* name, llvm::Type* result, llvm::Value* argument) {
    llvm::Module* module = builder_.GetInsertBlock()->getModule();
    return builder_.CreateCall(module->getOrInsertFunction(name, result, argument->getType()), {argument});
  }
  static bool is_bfloat(const FloatKind& kind) { return kind.name[0] == 'b'; }

  llvm::Value* number(llvm::Value* bits, const FloatKind& kind) {
    bits = resized(bits, kind.bits);
    if (kind.bits == 64) return builder_.CreateBitCast(bits, builder_.getDoubleTy());
    if (kind.bits == 32) return builder_.CreateBitCast(bits, builder_.getFloatTy());
    return call(is_bfloat(kind) ? "weakspot_bfloat_to_float" : "weakspot_half_to_float", builder_.getFloatTy(), bits);
  }
  llvm::Value* bits(llvm::Value* number, const FloatKind& kind) {
    if (kind.bits != 16) return builder_.CreateBitCast(number, builder_.getIntNTy(kind.bits));
    return call(is_bfloat(kind) ? "weakspot_float_to_bfloat" : "weakspot_float_to_half", builder_.getInt16Ty(), number);
  }

  llvm::Value* intrinsic(ID id, const std::vector<llvm::Value*>& arguments) {
    return builder_.CreateIntrinsic(id, {arguments.front()->getType()}, arguments);
  }

  llvm::Value* scalar(const PtxInstruction& instruction, const FloatKind& kind,
                      const std::vector<llvm::Value*>& operands) {
    std::vector<llvm::Value*> numbers;
    for (llvm::Value* operand : operands) numbers.push_back(number(operand, kind));
    const std::string& name = instruction.opcode.front();
    if (name == "setp" || name == "set") return comparison(instruction, numbers);
    if (instruction.has("xorsign")) return nullptr;
    llvm::Value* made = computed(name, instruction.has("NaN"), numbers);
    if (made != nullptr && instruction.has("sat")) {
      llvm::Value* zero = llvm::ConstantFP::get(made->getType(), 0.0);
      llvm::Value* one = llvm::ConstantFP::get(made->getType(), 1.0);
      made = intrinsic(llvm::Intrinsic::minnum, {intrinsic(llvm::Intrinsic::maxnum, {made, zero}), one});
    }
    return made == nullptr ? nullptr : bits(made, kind);
  }

  // What is not a number is left out by min and max, unless they pass it on.
  llvm::Value* computed(const std::string& name, bool passes_nan, const std::vector<llvm::Value*>& n) {
    if (n.size() == 1) {
      if (name == "neg") return builder_.CreateFNeg(n[0]);
      if (name == "mov") return n[0];
      static const std::map<std::string, ID> kUnary = {{"abs", llvm::Intrinsic::fabs}, {"sqrt", llvm::Intrinsic::sqrt},
                                                       {"ex2", llvm::Intrinsic::exp2}, {"lg2", llvm::Intrinsic::log2},
                                                       {"sin", llvm::Intrinsic::sin},  {"cos", llvm::Intrinsic::cos}};
      if (auto found = kUnary.find(name); found != kUnary.end()) return intrinsic(found->second, n);
      llvm::Value* one = llvm::ConstantFP::get(n[0]->getType(), 1.0);
      if (name == "rcp") return builder_.CreateFDiv(one, n[0]);
      if (name == "rsqrt") return builder_.CreateFDiv(one, intrinsic(llvm::Intrinsic::sqrt, n));
    } else if (n.size() == 2) {
      if (name == "add") return builder_.CreateFAdd(n[0], n[1]);
      if (name == "sub") return builder_.CreateFSub(n[0], n[1]);
      if (name == "mul") return builder_.CreateFMul(n[0], n[1]);
      if (name == "div") return builder_.CreateFDiv(n[0], n[1]);
      if (name == "min") return intrinsic(passes_nan ? llvm::Intrinsic::minimum : llvm::Intrinsic::minnum, n);
      if (name == "max") return intrinsic(passes_nan ? llvm::Intrinsic::maximum : llvm::Intrinsic::maxnum, n);
    } else if (n.size() == 3 && (name == "fma" || name == "mad")) {
      return intrinsic(llvm::Intrinsic::fma, n);
    }
    return nullptr;
  }

  // A predicate as a word of 0 or 1; set gives 1.0 or 0.0, and as an integer all bits or none.
  llvm::Value* comparison(const PtxInstruction& instruction, const std::vector<llvm::Value*>& n) {
    using llvm::CmpInst;
    static const std::map<std::string, CmpInst::Predicate> kComparisons = {
        {"eq", CmpInst::FCMP_OEQ},  {"ne", CmpInst::FCMP_ONE},  {"lt", CmpInst::FCMP_OLT},  {"le", CmpInst::FCMP_OLE},
        {"gt", CmpInst::FCMP_OGT},  {"ge", CmpInst::FCMP_OGE},  {"equ", CmpInst::FCMP_UEQ}, {"neu", CmpInst::FCMP_UNE},
        {"ltu", CmpInst::FCMP_ULT}, {"leu", CmpInst::FCMP_ULE}, {"gtu", CmpInst::FCMP_UGT}, {"geu", CmpInst::FCMP_UGE},
        {"num", CmpInst::FCMP_ORD}, {"nan", CmpInst::FCMP_UNO}};
    if (n.size() != 2 || instruction.opcode.size() < 3) return nullptr;
    auto found = kComparisons.find(instruction.opcode[1]);
    if (found == kComparisons.end()) return nullptr;
    llvm::Value* holds = builder_.CreateFCmp(found->second, n[0], n[1]);
    if (instruction.opcode.front() == "setp") return builder_.CreateZExt(holds, builder_.getInt32Ty());
    const std::string& to = instruction.opcode.end()[-2];
    if (to == "u32" || to == "s32") return builder_.CreateSExt(holds, builder_.getInt32Ty());
    const FloatKind* kind = float_kind(to);
    if (kind == nullptr || kind->bits == 64) return nullptr;
    if (kind->bits == 32) return builder_.CreateSelect(holds, builder_.getInt32(0x3f800000), builder_.getInt32(0));
    return builder_.CreateSelect(holds, builder_.getInt16(is_bfloat(*kind) ? 0x3f80 : 0x3c00), builder_.getInt16(0));
  }

  // cvt.rn.f16x2.f32 d, high, low
  llvm::Value* conversion_to_pair(const PtxInstruction& instruction, const std::vector<llvm::Value*>& operands) {
    const FloatKind* to = instruction.opcode.size() < 3 ? nullptr : float_kind(instruction.opcode.end()[-2]);
    const FloatKind* from = float_kind(instruction.opcode.back());
    if (to == nullptr || !to->pair || from == nullptr || from->bits != 32) return nullptr;
    llvm::Value* high = resized(bits(number(operands[0], *from), *to), 32);
    llvm::Value* low = resized(bits(number(operands[1], *from), *to), 32);
    return builder_.CreateOr(builder_.CreateShl(high, 16), low);
  }

  // cvt.rn.f16.f32: the last is what it was.
  llvm::Value* conversion(const PtxInstruction& instruction, llvm::Value* operand) {
    if (instruction.opcode.size() < 3) return nullptr;
    const std::string& from = instruction.opcode.back();
    const std::string& to = instruction.opcode[instruction.opcode.size() - 2];
    const FloatKind *from_kind = float_kind(from), *to_kind = float_kind(to);
    if ((from_kind != nullptr && from_kind->pair) || (to_kind != nullptr && to_kind->pair)) return nullptr;
    auto integer_width = [](const std::string& word) { return static_cast<unsigned>(std::atoi(word.c_str() + 1)); };
    llvm::Value* value = nullptr;
    if (from_kind != nullptr) {
      value = number(operand, *from_kind);
    } else {
      value = resized(operand, integer_width(from));
    }
    if (to_kind != nullptr) {
      llvm::Type* type = to_kind->bits == 64 ? builder_.getDoubleTy() : builder_.getFloatTy();
      if (from_kind != nullptr) {
        value = builder_.CreateFPCast(value, type);
        if (instruction.has("rni")) value = intrinsic(llvm::Intrinsic::rint, {value});
        if (instruction.has("rzi")) value = intrinsic(llvm::Intrinsic::trunc, {value});
        if (instruction.has("rmi")) value = intrinsic(llvm::Intrinsic::floor, {value});
        if (instruction.has("rpi")) value = intrinsic(llvm::Intrinsic::ceil, {value});
      } else {
        value = from[0] == 's' ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
      }
      return bits(value, *to_kind);
    }
    if (from_kind == nullptr) return nullptr;
    if (instruction.has("rni")) value = intrinsic(llvm::Intrinsic::rint, {value});
    if (instruction.has("rmi")) value = intrinsic(llvm::Intrinsic::floor, {value});
    if (instruction.has("rpi")) value = intrinsic(llvm::Intrinsic::ceil, {value});
    llvm::Type* type = builder_.getIntNTy(integer_width(to));
    const ID id = to[0] == 's' ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return builder_.CreateIntrinsic(id, {type, value->getType()}, {value});
  }

  PtxBuilder& builder_;
};

}  // namespace

std::optional<std::string> ptx_float_type(const PtxInstruction& instruction) {
  for (auto word = instruction.opcode.rbegin(); word != instruction.opcode.rend(); ++word) {
    if (float_kind(*word) != nullptr) return *word;
  }
  return std::nullopt;
}

llvm::Value* ptx_float_result(PtxBuilder& builder, const PtxInstruction& instruction,
                              const std::vector<llvm::Value*>& operands) {
  return FloatLowering(builder).result(instruction, operands);
}

llvm::Constant* ptx_real(llvm::Type& type, double number) {
  if (type.isIntegerTy(32))
    return llvm::ConstantInt::get(&type, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
  return type.isIntegerTy(64) ? llvm::ConstantInt::get(&type, std::bit_cast<std::uint64_t>(number)) : nullptr;
}

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_comparisons.h"

#include <algorithm>

namespace weakspot::race_jit {
namespace {

using llvm::CmpInst;
using llvm::Value;

struct ComparisonRow {
  const char* name;
  CmpInst::Predicate with_sign, without, real;
};
constexpr CmpInst::Predicate kNone = CmpInst::BAD_ICMP_PREDICATE;
constexpr ComparisonRow kComparisons[] = {{"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
                                          {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE},
                                          {"lt", CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT},
                                          {"le", CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE},
                                          {"gt", CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT},
                                          {"ge", CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE},
                                          {"lo", CmpInst::ICMP_ULT, CmpInst::ICMP_ULT, kNone},
                                          {"ls", CmpInst::ICMP_ULE, CmpInst::ICMP_ULE, kNone},
                                          {"hi", CmpInst::ICMP_UGT, CmpInst::ICMP_UGT, kNone},
                                          {"hs", CmpInst::ICMP_UGE, CmpInst::ICMP_UGE, kNone},
                                          {"equ", kNone, kNone, CmpInst::FCMP_UEQ},
                                          {"neu", kNone, kNone, CmpInst::FCMP_UNE},
                                          {"ltu", kNone, kNone, CmpInst::FCMP_ULT},
                                          {"leu", kNone, kNone, CmpInst::FCMP_ULE},
                                          {"gtu", kNone, kNone, CmpInst::FCMP_UGT},
                                          {"geu", kNone, kNone, CmpInst::FCMP_UGE},
                                          {"num", kNone, kNone, CmpInst::FCMP_ORD},
                                          {"nan", kNone, kNone, CmpInst::FCMP_UNO}};

class Comparison {
 public:
  Comparison(PtxBuilder& builder, const PtxInstruction& instruction,
             const std::function<Value*(std::size_t, llvm::Type*)>& operand)
      : builder_(builder), instruction_(instruction), operand_(operand) {}

  std::vector<Value*> run() {
    const bool set = instruction_.opcode.front() == "set";
    if (instruction_.opcode.size() < (set ? 4u : 3u)) return {};
    const bool combined = instruction_.has("and") || instruction_.has("or") || instruction_.has("xor");
    const std::size_t inputs = combined ? 3 : 2, operands = instruction_.operands.size();
    if (operands <= inputs || operands - inputs > (set ? 1u : 2u)) return {};
    first_ = operands - inputs;
    std::vector<Value*> holds = parts();
    if (holds.empty()) return {};
    if (first_ == 2 && holds.size() == 1) holds.push_back(builder_.CreateNot(holds[0]));
    if (!set && holds.size() != first_) return {};
    if (combined) {
      Value* other = operand_(first_ + 2, builder_.getInt32Ty());
      if (other == nullptr) return {};
      for (Value*& one : holds) one = with(one, builder_.CreateIsNotNull(other));
    }
    if (set) return {as_number(holds)};
    for (Value*& one : holds) one = builder_.CreateZExt(one, builder_.getInt32Ty());
    return holds;
  }

 private:
  Value* with(Value* holds, Value* other) {
    if (instruction_.has("and")) return builder_.CreateAnd(holds, other);
    return instruction_.has("or") ? builder_.CreateOr(holds, other) : builder_.CreateXor(holds, other);
  }

  // A predicate, or two for a pair.
  std::vector<Value*> parts() {
    const auto* row = std::find_if(std::begin(kComparisons), std::end(kComparisons),
                                   [&](const ComparisonRow& one) { return instruction_.opcode[1] == one.name; });
    if (row == std::end(kComparisons)) return {};
    const std::string& type = instruction_.opcode.back();
    const FloatKind* kind = float_kind(type);
    const unsigned bits = kind == nullptr ? 8 * ptx_type_size(instruction_) : kind->bits * (kind->pair ? 2 : 1);
    const CmpInst::Predicate predicate = kind != nullptr ? row->real : type[0] == 's' ? row->with_sign : row->without;
    if (bits == 0 || predicate == kNone) return {};
    Value* a = operand_(first_, builder_.getIntNTy(bits));
    Value* b = operand_(first_ + 1, builder_.getIntNTy(bits));
    if (a == nullptr || b == nullptr) return {};
    if (kind == nullptr) return {builder_.CreateICmp(predicate, a, b)};
    std::vector<Value*> made;
    for (unsigned i = 0; i < (kind->pair ? 2 : 1); ++i) {
      made.push_back(builder_.CreateFCmp(predicate, number(a, *kind, i), number(b, *kind, i)));
    }
    return made;
  }
  Value* number(Value* bits, const FloatKind& kind, unsigned part) {
    if (part > 0) bits = builder_.CreateLShr(bits, part * kind.bits);
    bits = ptx_resized(builder_, bits, kind.bits);
    return ptx_number(builder_, instruction_.has("ftz") ? ptx_flushed(builder_, bits, kind) : bits, kind);
  }

  // All bits of a whole number, or 1.0; of a pair, in each half.
  Value* as_number(const std::vector<Value*>& holds) {
    const std::string& to = instruction_.opcode.end()[-2];
    const FloatKind* kind = float_kind(to);
    const bool pair = holds.size() == 2;
    if (kind != nullptr ? kind->pair != pair || kind->bits == 64
                        : to != "u32" && to != "s32" && to != "u16" && to != "s16")
      return nullptr;
    const unsigned bits = kind != nullptr ? kind->bits : pair || to.ends_with("16") ? 16 : 32;
    const std::uint32_t one = kind == nullptr ? ~0u : bits == 32 ? 0x3f800000 : kind->is_bfloat() ? 0x3f80 : 0x3c00;
    Value* made = builder_.getInt32(0);
    for (unsigned i = 0; i < holds.size(); ++i) {
      Value* yes = builder_.getInt32((bits == 32 ? one : one & 0xffff) << (i * 16));
      made = builder_.CreateOr(made, builder_.CreateSelect(holds[i], yes, builder_.getInt32(0)));
    }
    return made;
  }

  PtxBuilder& builder_;
  const PtxInstruction& instruction_;
  const std::function<Value*(std::size_t, llvm::Type*)>& operand_;
  std::size_t first_ = 1;  // operand that is compared
};

}  // namespace

std::vector<Value*> ptx_comparison(PtxBuilder& builder, const PtxInstruction& instruction,
                                   const std::function<Value*(std::size_t, llvm::Type*)>& operand) {
  std::vector<Value*> made = Comparison(builder, instruction, operand).run();
  return std::find(made.begin(), made.end(), nullptr) == made.end() ? made : std::vector<Value*>{};
}

}  // namespace weakspot::race_jit

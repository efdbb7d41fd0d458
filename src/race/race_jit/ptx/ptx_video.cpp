// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_video.h"

#include <llvm/IR/Intrinsics.h>

#include <map>
#include <string>
#include <utility>

namespace weakspot::race_jit {
namespace {

using llvm::Value;

// The parts of a word that the instruction takes apart: 2, 4, or 1.
unsigned parts_of(const std::string& name) { return name.ends_with('2') ? 2 : name.ends_with('4') ? 4 : 1; }

// The name without the number of parts.
std::string video_operation(const PtxInstruction& instruction) {
  const std::string& name = instruction.opcode.front();
  return name.substr(0, name.size() - (parts_of(name) > 1 ? 1 : 0));
}

// The bounds of a type of so many bits.
std::pair<std::int64_t, std::int64_t> bounds_of(unsigned bits, bool is_signed) {
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return {is_signed ? -most - 1 : 0, most};
}

Value* compare_parts(PtxBuilder& builder, const PtxInstruction& instruction, Value* a, Value* b, bool is_signed) {
  using Predicate = llvm::CmpInst::Predicate;
  static const std::map<std::string, std::pair<Predicate, Predicate>> kPredicates = {
      {"eq", {Predicate::ICMP_EQ, Predicate::ICMP_EQ}},   {"ne", {Predicate::ICMP_NE, Predicate::ICMP_NE}},
      {"lt", {Predicate::ICMP_SLT, Predicate::ICMP_ULT}}, {"le", {Predicate::ICMP_SLE, Predicate::ICMP_ULE}},
      {"gt", {Predicate::ICMP_SGT, Predicate::ICMP_UGT}}, {"ge", {Predicate::ICMP_SGE, Predicate::ICMP_UGE}}};
  for (const auto& [word, predicates] : kPredicates) {
    if (!instruction.has(word)) continue;
    return builder.CreateZExt(builder.CreateICmp(is_signed ? predicates.first : predicates.second, a, b), a->getType());
  }
  return nullptr;
}

// The average, rounded away from zero.
Value* average(PtxBuilder& builder, Value* a, Value* b, bool is_signed) {
  Value* sum = builder.CreateAdd(a, b);
  Value* one = llvm::ConstantInt::get(sum->getType(), 1);
  if (!is_signed) return builder.CreateLShr(builder.CreateAdd(sum, one), 1);
  Value* positive =
      builder.CreateZExt(builder.CreateICmpSGE(sum, llvm::Constant::getNullValue(sum->getType())), sum->getType());
  return builder.CreateAShr(builder.CreateAdd(sum, positive), 1);
}

// On parts that were widened to words, so that nothing overflows.
Value* combine(PtxBuilder& builder, const PtxInstruction& instruction, Value* a, Value* b, bool is_signed) {
  using namespace llvm::Intrinsic;
  const std::string operation = video_operation(instruction);
  if (operation == "vadd") return builder.CreateAdd(a, b);
  if (operation == "vsub") return builder.CreateSub(a, b);
  if (operation == "vavrg") return average(builder, a, b, is_signed);
  if (operation == "vmin") return builder.CreateBinaryIntrinsic(is_signed ? smin : umin, a, b);
  if (operation == "vmax") return builder.CreateBinaryIntrinsic(is_signed ? smax : umax, a, b);
  if (operation == "vset") return compare_parts(builder, instruction, a, b, is_signed);
  if (operation == "vabsdiff") {
    Value* difference = builder.CreateSub(a, b);
    return builder.CreateBinaryIntrinsic(smax, difference, builder.CreateNeg(difference));
  }
  return nullptr;
}

// vshr.u32.u32.u32.clamp.add d, a, b, c: whole words, each of a type of its own.
Value* scalar_result(PtxBuilder& builder, const PtxInstruction& instruction, Value* a, Value* b, Value* c) {
  using namespace llvm::Intrinsic;
  const std::vector<std::string>& words = instruction.opcode;
  if (a == nullptr || b == nullptr || words.size() < 4) return nullptr;
  const bool is_signed = words[1] == "s32";
  llvm::Type* wide = builder.getInt64Ty();
  auto widened = [&](Value* word, bool with_sign) {
    return with_sign ? builder.CreateSExt(word, wide) : builder.CreateZExt(word, wide);
  };
  Value *first = widened(a, words[2] == "s32"), *second = widened(b, words[3] == "s32"), *made = nullptr;
  if (words[0] == "vshr") {
    Value* amount = instruction.has("wrap") ? builder.CreateAnd(second, 31)
                                            : builder.CreateBinaryIntrinsic(umin, second, builder.getInt64(32));
    made = builder.CreateAShr(first, amount);
  } else {
    made = combine(builder, instruction, first, second, /*is_signed=*/true);
  }
  if (made != nullptr && instruction.has("sat")) {
    const auto [least, most] = bounds_of(32, is_signed);
    made = builder.CreateBinaryIntrinsic(smin, made, builder.getInt64(static_cast<std::uint64_t>(most)));
    made = builder.CreateBinaryIntrinsic(smax, made, builder.getInt64(static_cast<std::uint64_t>(least)));
  }
  if (made == nullptr) return nullptr;
  made = builder.CreateTrunc(made, builder.getInt32Ty());
  if (instruction.operands.size() == 3) return made;
  const std::string& then = words.back();
  if (c == nullptr) return nullptr;
  if (then == "add") return builder.CreateAdd(made, c);
  if (then == "min") return builder.CreateBinaryIntrinsic(is_signed ? smin : umin, made, c);
  return then == "max" ? builder.CreateBinaryIntrinsic(is_signed ? smax : umax, made, c) : nullptr;
}

}  // namespace

bool is_ptx_video(const PtxInstruction& instruction) {
  const std::string operation = video_operation(instruction);
  const bool both = operation == "vadd" || operation == "vsub" || operation == "vmin" || operation == "vmax" ||
                    operation == "vabsdiff";
  if (parts_of(instruction.opcode.front()) == 1) return both || operation == "vshr";
  return both || operation == "vavrg" || operation == "vset";
}

Value* ptx_video_result(PtxBuilder& builder, const PtxInstruction& instruction, Value* a, Value* b, Value* c) {
  const unsigned parts = parts_of(instruction.opcode.front()), bits = 32 / parts;
  if (parts == 1) return scalar_result(builder, instruction, a, b, c);
  if (a == nullptr || b == nullptr || c == nullptr) return nullptr;
  const bool is_signed = instruction.has("s32");
  auto* narrow = llvm::FixedVectorType::get(builder.getIntNTy(bits), parts);
  auto* wide = llvm::FixedVectorType::get(builder.getInt32Ty(), parts);
  auto widened = [&](Value* word) {
    Value* split = builder.CreateBitCast(word, narrow);
    return is_signed ? builder.CreateSExt(split, wide) : builder.CreateZExt(split, wide);
  };
  Value* result = combine(builder, instruction, widened(a), widened(b), is_signed);
  if (result == nullptr) return nullptr;
  if (instruction.has("add")) return builder.CreateAdd(builder.CreateAddReduce(result), c);
  if (instruction.has("sat")) {
    const auto [least, most] = bounds_of(bits, is_signed);
    auto bound = [&](std::int64_t value) {
      return llvm::ConstantInt::get(wide, static_cast<std::uint64_t>(value), /*isSigned=*/true);
    };
    result = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, result, bound(most));
    result = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, result, bound(least));
  }
  return builder.CreateBitCast(builder.CreateTrunc(result, narrow), builder.getInt32Ty());
}

}  // namespace weakspot::race_jit

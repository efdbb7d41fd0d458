// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_integers.h"

#include <llvm/IR/Intrinsics.h>

#include <map>
#include <utility>

namespace weakspot::race_jit {
namespace {

using llvm::Type;
using llvm::Value;
namespace intrinsic = llvm::Intrinsic;

// "s32": signed, 32 bits; 0 bits if the word is not a type of integers.
struct IntegerType {
  unsigned bits = 0;
  bool is_signed = false;
};

IntegerType type_named(const std::string& word) {
  static const std::map<std::string, unsigned> kSizes = {{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}};
  if (word.size() < 2 || std::string_view("usb").find(word[0]) == std::string_view::npos) return {};
  auto found = kSizes.find(word.substr(1));
  return found == kSizes.end() ? IntegerType{} : IntegerType{found->second, word[0] == 's'};
}

class Integers {
 public:
  Integers(PtxBuilder& builder, const PtxInstruction& instruction,
           const std::function<Value*(std::size_t, Type*)>& operand, Value*& carry)
      : builder_(builder),
        instruction_(instruction),
        operand_(operand),
        name_(instruction.opcode.front()),
        carry_(carry) {}

  Value* run() {
    if (instruction_.has("sat")) return nullptr;
    if (instruction_.opcode.back() == "pred") return of_predicates();
    given_ = type_named(instruction_.opcode.back());
    if (given_.bits == 0) return nullptr;
    type_ = builder_.getIntNTy(given_.bits);
    if (instruction_.has("cc") || name_ == "addc" || name_ == "subc" || name_ == "madc") return with_carry();
    if (name_ == "cvt") return conversion();
    if (name_ == "shf") return funnel_shift();
    if (name_ == "setp") return comparison();
    if (name_ == "prmt") return permutation();
    if (name_ == "lop3") return any_logic();
    if (name_ == "bfe" || name_ == "bfi") return field_of_bits();
    if (name_ == "mul" || name_ == "mad") return product();
    if (name_ == "shl" || name_ == "shr") return shift();
    if (Value* made = of_one()) return made;
    return of_two();
  }

 private:
  Value* word(std::size_t index) { return operand_(index, builder_.getInt32Ty()); }
  Value* number(Type* type, std::uint64_t value) { return llvm::ConstantInt::get(type, value); }

  Value* of_predicates() {
    type_ = builder_.getInt32Ty();
    Value* a = operand_(1, type_);
    if (a == nullptr || name_ == "mov") return a;
    if (name_ == "not") return builder_.CreateXor(a, 1);
    return name_ == "and" || name_ == "or" || name_ == "xor" ? of_two() : nullptr;
  }

  // In twice the width, whose upper half holds what is carried or borrowed.
  Value* with_carry() {
    Type* twice = builder_.getIntNTy(2 * given_.bits);
    const bool multiplies = name_ == "mad" || name_ == "madc", subtracts = name_ == "sub" || name_ == "subc";
    Value* a = multiplies ? factors() : operand_(1, type_);
    Value* b = operand_(multiplies ? 3 : 2, type_);
    const bool carries = name_.ends_with('c');
    if (a == nullptr || b == nullptr || (carries && carry_ == nullptr)) return nullptr;
    a = builder_.CreateZExt(a, twice);
    b = builder_.CreateZExt(b, twice);
    if (carries) b = builder_.CreateAdd(b, builder_.CreateZExtOrTrunc(carry_, twice));
    Value* made = subtracts ? builder_.CreateSub(a, b) : builder_.CreateAdd(a, b);
    if (instruction_.has("cc")) carry_ = as_word(builder_.CreateAnd(builder_.CreateLShr(made, given_.bits), 1));
    return builder_.CreateTrunc(made, type_);
  }

  Value* of_one() {
    Value* a = operand_(1, type_);
    if (a == nullptr) return nullptr;
    Value* zero = number(type_, 0);
    if (name_ == "not") return builder_.CreateNot(a);
    if (name_ == "neg") return builder_.CreateNeg(a);
    if (name_ == "abs") return builder_.CreateBinaryIntrinsic(intrinsic::smax, a, builder_.CreateNeg(a));
    if (name_ == "cnot") return builder_.CreateZExt(builder_.CreateICmpEQ(a, zero), type_);
    if (name_ == "brev") return builder_.CreateUnaryIntrinsic(intrinsic::bitreverse, a);
    if (name_ == "bfind") return highest_bit(a);
    if (name_ == "popc") return as_word(builder_.CreateUnaryIntrinsic(intrinsic::ctpop, a));
    if (name_ == "clz") return as_word(builder_.CreateBinaryIntrinsic(intrinsic::ctlz, a, builder_.getFalse()));
    return nullptr;
  }
  // All bits are set if there is none; of a negative number, the highest that is not a copy of the sign.
  Value* highest_bit(Value* a) {
    if (given_.is_signed) a = builder_.CreateXor(a, builder_.CreateAShr(a, given_.bits - 1));
    Value* above = as_word(builder_.CreateBinaryIntrinsic(intrinsic::ctlz, a, builder_.getFalse()));
    Value* place = instruction_.has("shiftamt") ? above : builder_.CreateSub(builder_.getInt32(given_.bits - 1), above);
    return builder_.CreateSelect(builder_.CreateIsNull(a), builder_.getInt32(~0u), place);
  }
  Value* as_word(Value* value) { return builder_.CreateZExtOrTrunc(value, builder_.getInt32Ty()); }

  Value* of_two() {
    Value *a = operand_(1, type_), *b = operand_(2, type_);
    if (a == nullptr || b == nullptr) return nullptr;
    const bool is_signed = given_.is_signed;
    if (name_ == "add") return builder_.CreateAdd(a, b);
    if (name_ == "sub") return builder_.CreateSub(a, b);
    if (name_ == "and") return builder_.CreateAnd(a, b);
    if (name_ == "or") return builder_.CreateOr(a, b);
    if (name_ == "xor") return builder_.CreateXor(a, b);
    if (name_ == "min") return builder_.CreateBinaryIntrinsic(is_signed ? intrinsic::smin : intrinsic::umin, a, b);
    if (name_ == "max") return builder_.CreateBinaryIntrinsic(is_signed ? intrinsic::smax : intrinsic::umax, a, b);
    if (name_ == "sad") return sum_of_difference(a, b);
    return nullptr;
  }

  Value* sum_of_difference(Value* a, Value* b) {
    Value* c = operand_(3, type_);
    if (c == nullptr) return nullptr;
    Value* less = given_.is_signed ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
    return builder_.CreateAdd(c, builder_.CreateSelect(less, builder_.CreateSub(b, a), builder_.CreateSub(a, b)));
  }

  // Shifts by the whole width and more leave nothing but the sign.
  Value* shift() {
    Value *a = operand_(1, type_), *by = word(2);
    if (a == nullptr || by == nullptr) return nullptr;
    Value* bits = builder_.getInt32(given_.bits);
    Value* too_far = builder_.CreateICmpUGE(by, bits);
    Value* amount =
        builder_.CreateZExtOrTrunc(builder_.CreateSelect(too_far, builder_.getInt32(given_.bits - 1), by), type_);
    if (name_ == "shr" && given_.is_signed) return builder_.CreateAShr(a, amount);
    Value* shifted = name_ == "shl" ? builder_.CreateShl(a, amount) : builder_.CreateLShr(a, amount);
    return builder_.CreateSelect(too_far, number(type_, 0), shifted);
  }

  Value* product() {
    Value* made = factors();
    if (made == nullptr || name_ == "mul") return made;
    Value* c = operand_(3, made->getType());
    return c == nullptr ? nullptr : builder_.CreateAdd(made, c);
  }

  Value* factors() {
    Value *a = operand_(1, type_), *b = operand_(2, type_);
    if (a == nullptr || b == nullptr) return nullptr;
    auto* twice = builder_.getIntNTy(2 * given_.bits);
    auto widened = [&](Value* v) {
      return given_.is_signed ? builder_.CreateSExt(v, twice) : builder_.CreateZExt(v, twice);
    };
    Value* made = nullptr;
    if (instruction_.has("lo")) {
      made = builder_.CreateMul(a, b);
    } else if (instruction_.has("hi") || instruction_.has("wide")) {
      made = builder_.CreateMul(widened(a), widened(b));
      if (instruction_.has("hi")) made = builder_.CreateTrunc(builder_.CreateLShr(made, given_.bits), type_);
    }
    return made;
  }

  Value* comparison() {
    using Predicate = llvm::CmpInst::Predicate;
    static const std::map<std::string, std::pair<Predicate, Predicate>> kPredicates = {
        {"eq", {Predicate::ICMP_EQ, Predicate::ICMP_EQ}},   {"ne", {Predicate::ICMP_NE, Predicate::ICMP_NE}},
        {"lt", {Predicate::ICMP_SLT, Predicate::ICMP_ULT}}, {"le", {Predicate::ICMP_SLE, Predicate::ICMP_ULE}},
        {"gt", {Predicate::ICMP_SGT, Predicate::ICMP_UGT}}, {"ge", {Predicate::ICMP_SGE, Predicate::ICMP_UGE}},
        {"lo", {Predicate::ICMP_ULT, Predicate::ICMP_ULT}}, {"ls", {Predicate::ICMP_ULE, Predicate::ICMP_ULE}},
        {"hi", {Predicate::ICMP_UGT, Predicate::ICMP_UGT}}, {"hs", {Predicate::ICMP_UGE, Predicate::ICMP_UGE}}};
    // setp.lt.and.s32 p, a, b, q
    const bool combined = instruction_.opcode.size() == 4;
    if (instruction_.opcode.size() != (combined ? 4 : 3)) return nullptr;
    if (instruction_.operands.size() != (combined ? 4 : 3)) return nullptr;
    auto found = kPredicates.find(instruction_.opcode[1]);
    Value *a = operand_(1, type_), *b = operand_(2, type_);
    Value* other = combined ? word(3) : nullptr;
    if (found == kPredicates.end() || a == nullptr || b == nullptr || (combined && other == nullptr)) return nullptr;
    Value* holds = as_word(builder_.CreateICmp(given_.is_signed ? found->second.first : found->second.second, a, b));
    if (!combined) return holds;
    if (instruction_.has("and")) return builder_.CreateAnd(holds, other);
    if (instruction_.has("or")) return builder_.CreateOr(holds, other);
    return instruction_.has("xor") ? builder_.CreateXor(holds, other) : nullptr;
  }

  // Between integers; the first type is the result's.
  Value* conversion() {
    if (instruction_.opcode.size() != 3) return nullptr;
    const IntegerType to = type_named(instruction_.opcode[1]);
    Value* given = to.bits == 0 ? nullptr : operand_(1, type_);
    if (given == nullptr) return nullptr;
    Type* type = builder_.getIntNTy(to.bits);
    return given_.is_signed ? builder_.CreateSExtOrTrunc(given, type) : builder_.CreateZExtOrTrunc(given, type);
  }

  Value* funnel_shift() {
    Value *low = word(1), *high = word(2), *by = word(3);
    if (low == nullptr || high == nullptr || by == nullptr) return nullptr;
    const bool left = instruction_.has("l");
    // Clamped shifts by 32 and more give the other half.
    Value* clamped = builder_.CreateICmpUGE(by, builder_.getInt32(32));
    Value* shifted = builder_.CreateIntrinsic(left ? intrinsic::fshl : intrinsic::fshr, {builder_.getInt32Ty()},
                                              {high, low, builder_.CreateAnd(by, 31)});
    return instruction_.has("clamp") ? builder_.CreateSelect(clamped, left ? low : high, shifted) : shifted;
  }

  // Four bytes of eight, each with its own bits or filled with its sign.
  Value* permutation() {
    if (instruction_.opcode.size() != 2) return nullptr;
    Value *a = word(1), *b = word(2), *choice = word(3);
    if (a == nullptr || b == nullptr || choice == nullptr) return nullptr;
    Type* twice = builder_.getInt64Ty();
    Value* bytes =
        builder_.CreateOr(builder_.CreateZExt(a, twice), builder_.CreateShl(builder_.CreateZExt(b, twice), 32));
    Value* made = builder_.getInt32(0);
    for (unsigned i = 0; i < 4; ++i) {
      Value* digit = builder_.CreateLShr(choice, 4 * i);
      Value* by = builder_.CreateZExt(builder_.CreateShl(builder_.CreateAnd(digit, 7), 3), twice);
      Value* byte = builder_.CreateTrunc(builder_.CreateLShr(bytes, by), builder_.getInt8Ty());
      Value* sign = builder_.CreateAShr(byte, 7);
      Value* filled = builder_.CreateIsNotNull(builder_.CreateAnd(digit, 8));
      byte = builder_.CreateZExt(builder_.CreateSelect(filled, sign, byte), builder_.getInt32Ty());
      made = builder_.CreateOr(made, builder_.CreateShl(byte, 8 * i));
    }
    return made;
  }

  // The table of a function of three bits, in eight bits.
  Value* any_logic() {
    Value *a = word(1), *b = word(2), *c = word(3);
    auto* table = llvm::dyn_cast_or_null<llvm::ConstantInt>(word(4));
    if (a == nullptr || b == nullptr || c == nullptr || table == nullptr) return nullptr;
    Value* made = builder_.getInt32(0);
    for (unsigned row = 0; row < 8; ++row) {
      if ((table->getZExtValue() >> row & 1) == 0) continue;
      Value* all = (row & 4) != 0 ? a : builder_.CreateNot(a);
      all = builder_.CreateAnd(all, (row & 2) != 0 ? b : builder_.CreateNot(b));
      made = builder_.CreateOr(made, builder_.CreateAnd(all, (row & 1) != 0 ? c : builder_.CreateNot(c)));
    }
    return made;
  }

  // In twice the width, where no shift goes too far.
  Value* field_of_bits() {
    const bool inserts = name_ == "bfi";
    Value *a = operand_(1, type_), *b = inserts ? operand_(2, type_) : a;
    Value *from = word(inserts ? 3 : 2), *length = word(inserts ? 4 : 3);
    if (a == nullptr || b == nullptr || from == nullptr || length == nullptr) return nullptr;
    Type* twice = builder_.getIntNTy(2 * given_.bits);
    auto at_most = [&](Value* v) {
      Value* byte = builder_.CreateAnd(v, 255);
      Value* least = builder_.CreateBinaryIntrinsic(intrinsic::umin, byte, builder_.getInt32(given_.bits));
      return builder_.CreateZExtOrTrunc(least, twice);
    };
    from = at_most(from);
    length = at_most(length);
    Value* mask = builder_.CreateSub(builder_.CreateShl(number(twice, 1), length), number(twice, 1));
    if (inserts) {
      Value* place = builder_.CreateShl(mask, from);
      Value* added = builder_.CreateAnd(builder_.CreateShl(builder_.CreateZExt(a, twice), from), place);
      Value* kept = builder_.CreateAnd(builder_.CreateZExt(b, twice), builder_.CreateNot(place));
      return builder_.CreateTrunc(builder_.CreateOr(added, kept), type_);
    }
    if (!given_.is_signed) {
      Value* shifted = builder_.CreateLShr(builder_.CreateZExt(a, twice), from);
      return builder_.CreateTrunc(builder_.CreateAnd(shifted, mask), type_);
    }
    Value* shifted = builder_.CreateAShr(builder_.CreateSExt(a, twice), from);
    Value* empty = builder_.CreateICmpEQ(length, number(twice, 0));
    Value* rest =
        builder_.CreateSub(number(twice, 2 * given_.bits), builder_.CreateSelect(empty, number(twice, 1), length));
    Value* filled = builder_.CreateTrunc(builder_.CreateAShr(builder_.CreateShl(shifted, rest), rest), type_);
    return builder_.CreateSelect(empty, number(type_, 0), filled);
  }

  PtxBuilder& builder_;
  const PtxInstruction& instruction_;
  const std::function<Value*(std::size_t, Type*)>& operand_;
  const std::string& name_;
  Value*& carry_;
  IntegerType given_;
  Type* type_ = nullptr;
};

}  // namespace

Value* ptx_integer_result(PtxBuilder& builder, const PtxInstruction& instruction,
                          const std::function<Value*(std::size_t, Type*)>& operand, Value*& carry) {
  return Integers(builder, instruction, operand, carry).run();
}

}  // namespace weakspot::race_jit

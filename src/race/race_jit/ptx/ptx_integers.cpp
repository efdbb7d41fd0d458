// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_integers.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <array>
#include <map>

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
    if (instruction_.opcode.back() == "pred") return of_predicates();
    if (instruction_.opcode.back().ends_with("16x2")) return of_halves();
    if (name_ == "slct") return by_sign();
    given_ = type_named(instruction_.opcode.back());
    if (name_ == "prmt") given_ = {32, false};  // the mode may follow the type
    if (given_.bits == 0) return nullptr;
    type_ = builder_.getIntNTy(given_.bits);
    if (instruction_.has("cc") || name_ == "addc" || name_ == "subc" || name_ == "madc") return with_carry();
    if (instruction_.has("sat")) return saturated();
    if (name_ == "shf") return funnel_shift();
    if (name_ == "prmt") return permutation();
    if (name_ == "lop3") return any_logic();
    if (name_ == "bfe" || name_ == "bfi") return field_of_bits();
    if (name_ == "mul" || name_ == "mad" || name_ == "mul24" || name_ == "mad24") return product();
    if (name_ == "bmsk" || name_ == "szext") return mask_of_bits();
    if (name_ == "dp4a" || name_ == "dp2a") return sum_of_products();
    if (name_ == "fns") return nth_bit();
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

  // In twice the width, whose upper half holds what is carried. Subtracting is adding the complement and one, which an
  // H200 shows where both are mixed: the flag of a difference is set if nothing was borrowed, and subc takes it so.
  Value* with_carry() {
    Type* twice = builder_.getIntNTy(2 * given_.bits);
    const bool multiplies = name_ == "mad" || name_ == "madc", subtracts = name_ == "sub" || name_ == "subc";
    Value* a = multiplies ? factors() : operand_(1, type_);
    Value* b = operand_(multiplies ? 3 : 2, type_);
    const bool carries = name_.ends_with('c');
    if (a == nullptr || b == nullptr || (carries && carry_ == nullptr)) return nullptr;
    if (subtracts) b = builder_.CreateNot(b);
    Value* carried = carries ? builder_.CreateZExtOrTrunc(carry_, twice) : number(twice, subtracts ? 1 : 0);
    Value* made = builder_.CreateAdd(builder_.CreateZExt(a, twice), builder_.CreateZExt(b, twice));
    made = builder_.CreateAdd(made, carried);
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
    if (made == nullptr || name_.starts_with("mul")) return made;
    Value* c = operand_(3, made->getType());
    return c == nullptr ? nullptr : builder_.CreateAdd(made, c);
  }

  Value* factors() {
    Value *a = operand_(1, type_), *b = operand_(2, type_);
    if (a == nullptr || b == nullptr) return nullptr;
    if (name_.ends_with("24")) return factors_of_24_bits(a, b);
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

  // The lowest or the highest 32 bits of 48.
  Value* factors_of_24_bits(Value* a, Value* b) {
    auto widened = [&](Value* v) {
      v = builder_.CreateTrunc(v, builder_.getIntNTy(24));
      return given_.is_signed ? builder_.CreateSExt(v, builder_.getInt64Ty())
                              : builder_.CreateZExt(v, builder_.getInt64Ty());
    };
    Value* made = builder_.CreateMul(widened(a), widened(b));
    return builder_.CreateTrunc(instruction_.has("hi") ? builder_.CreateLShr(made, 16) : made, type_);
  }

  // add, sub, mad.hi and mad24.hi of s32.
  Value* saturated() {
    if (!given_.is_signed || given_.bits != 32) return nullptr;
    const bool multiplies = name_ == "mad" || name_ == "mad24";
    Value* a = multiplies ? factors() : operand_(1, type_);
    Value* b = operand_(multiplies ? 3 : 2, type_);
    if (a == nullptr || b == nullptr || (!multiplies && name_ != "add" && name_ != "sub")) return nullptr;
    return builder_.CreateBinaryIntrinsic(name_ == "sub" ? intrinsic::ssub_sat : intrinsic::sadd_sat, a, b);
  }

  // add, min and max of each half of a word.
  Value* of_halves() {
    PtxInstruction half = instruction_;
    half.opcode.back().resize(half.opcode.back().size() - 2);
    Value* both = builder_.getInt32(0);
    for (unsigned i = 0; i < 2; ++i) {
      Value* none = nullptr;
      const std::function<Value*(std::size_t, Type*)> part = [&](std::size_t index, Type* type) {
        Value* whole = operand_(index, builder_.getInt32Ty());
        return whole == nullptr ? nullptr : builder_.CreateTrunc(builder_.CreateLShr(whole, 16 * i), type);
      };
      Value* made = Integers(builder_, half, part, none).run();
      if (made == nullptr) return nullptr;
      both = builder_.CreateOr(both, builder_.CreateShl(as_word(made), 16 * i));
    }
    return both;
  }

  // bmsk d, from, count: so many bits from there on. szext d, a, count: the lowest bits, filled with zeros or the sign.
  Value* mask_of_bits() {
    const bool cuts = name_ == "szext";
    Value *first = word(1), *count = word(2);
    if (first == nullptr || count == nullptr || (!instruction_.has("clamp") && !instruction_.has("wrap")))
      return nullptr;
    Type* wide = builder_.getInt64Ty();
    auto bounded = [&](Value* v) {
      Value* least = builder_.CreateBinaryIntrinsic(intrinsic::umin, v, builder_.getInt32(32));
      return builder_.CreateZExt(instruction_.has("wrap") ? builder_.CreateAnd(v, 31) : least, wide);
    };
    count = bounded(count);
    Value* ones = builder_.CreateSub(builder_.CreateShl(number(wide, 1), count), number(wide, 1));
    if (!cuts) return builder_.CreateTrunc(builder_.CreateShl(ones, bounded(first)), type_);
    Value* kept = builder_.CreateAnd(builder_.CreateZExt(first, wide), ones);
    if (!given_.is_signed) return builder_.CreateTrunc(kept, type_);
    Value* sign = builder_.CreateLShr(builder_.CreateAdd(ones, number(wide, 1)), 1);  // the highest of the bits
    return builder_.CreateTrunc(builder_.CreateSub(builder_.CreateXor(kept, sign), sign), type_);
  }

  // dp4a.atype.btype d, a, b, c: products of bytes; dp2a: of half words of a with two bytes of b.
  Value* sum_of_products() {
    const std::vector<std::string>& words = instruction_.opcode;
    Value *a = word(1), *b = word(2), *sum = word(3);
    if (words.size() < 3 || a == nullptr || b == nullptr || sum == nullptr) return nullptr;
    const bool four = name_ == "dp4a";
    if (!four && !instruction_.has("lo") && !instruction_.has("hi")) return nullptr;
    auto part = [&](Value* v, unsigned at, unsigned bits, const std::string& type) {
      v = builder_.CreateTrunc(builder_.CreateLShr(v, at), builder_.getIntNTy(bits));
      return type[0] == 's' ? builder_.CreateSExt(v, type_) : builder_.CreateZExt(v, type_);
    };
    const unsigned first = instruction_.has("hi") ? 16 : 0, bits = four ? 8 : 16;
    for (unsigned i = 0; i < (four ? 4u : 2u); ++i) {
      sum = builder_.CreateAdd(
          sum, builder_.CreateMul(part(a, i * bits, bits, words.end()[-2]), part(b, first + i * 8, 8, words.back())));
    }
    return sum;
  }

  // slct.dtype.s32 d, a, b, c: a if c is not negative, otherwise b. A float that is not a number chooses b.
  Value* by_sign() {
    if (instruction_.opcode.size() < 3) return nullptr;
    const std::string& type = instruction_.opcode.back();
    const unsigned size =
        ptx_type_size({.guard = "", .opcode = {name_, instruction_.opcode.end()[-2]}, .operands = {}});
    Type* chosen = builder_.getIntNTy(8 * std::max(size, 1u));
    Value *a = operand_(1, chosen), *b = operand_(2, chosen), *c = word(3);
    if (size == 0 || (type != "s32" && type != "f32") || a == nullptr || b == nullptr || c == nullptr) return nullptr;
    if (type == "s32") return builder_.CreateSelect(builder_.CreateICmpSGE(c, builder_.getInt32(0)), a, b);
    Value* real = builder_.CreateBitCast(c, builder_.getFloatTy());
    return builder_.CreateSelect(builder_.CreateFCmpOGE(real, llvm::ConstantFP::get(real->getType(), 0.0)), a, b);
  }

  Value* nth_bit() {
    Value *mask = word(1), *base = word(2), *offset = word(3);
    if (mask == nullptr || base == nullptr || offset == nullptr) return nullptr;
    return ptx_call(builder_, "__nv_fns", type_, {mask, base, offset});
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
    Value *a = word(1), *b = word(2), *choice = word(3);
    if (a == nullptr || b == nullptr || choice == nullptr) return nullptr;
    if (instruction_.opcode.size() != 2 && !(choice = named_permutation(choice))) return nullptr;
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

  // The digits that the lowest two bits of the choice stand for in a mode with a name.
  Value* named_permutation(Value* choice) {
    static const std::map<std::string, std::array<std::uint32_t, 4>> kModes = {
        {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
    auto found = kModes.find(instruction_.opcode.back());
    if (found == kModes.end()) return nullptr;
    Value* low = builder_.CreateAnd(choice, 3);
    Value* made = builder_.getInt32(found->second[0]);
    for (std::uint32_t i = 1; i < 4; ++i) {
      made = builder_.CreateSelect(builder_.CreateICmpEQ(low, builder_.getInt32(i)),
                                   builder_.getInt32(found->second[i]), made);
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

// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_conversions.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <charconv>

#include "race_jit/math/small_floats.h"

namespace weakspot::race_jit {
namespace {

using llvm::Value;
namespace intrinsic = llvm::Intrinsic;

struct Number {
  enum class Kind { none, whole, real, small } kind = Kind::none;
  unsigned bits = 0;  // of one of a pair
  bool is_signed = false, pair = false;
  const FloatKind* real = nullptr;      // f16 to f64
  SmallFloat format = SmallFloat::f16;  // of those that float_kind() does not have, and of f16 and bf16
};

Number number_named(std::string word) {
  Number number;
  if (word.ends_with("x2")) {
    number.pair = true;
    word.resize(word.size() - 2);
  }
  static constexpr std::pair<std::string_view, SmallFloat> kSmall[] = {{"f16", SmallFloat::f16},
                                                                       {"bf16", SmallFloat::bf16},
                                                                       {"tf32", SmallFloat::tf32},
                                                                       {"e4m3", SmallFloat::e4m3},
                                                                       {"e5m2", SmallFloat::e5m2}};
  for (const auto& [name, format] : kSmall) {
    if (word == name) number.format = format;
  }
  number.real = float_kind(word);
  if (number.real != nullptr) {
    number.kind = Number::Kind::real;
    number.bits = number.real->bits;
  } else if (number.format != SmallFloat::f16) {
    number.kind = Number::Kind::small;
    number.bits = number.format == SmallFloat::tf32 ? 32 : 8;
  } else if (word.size() > 1 && (word[0] == 's' || word[0] == 'u' || word[0] == 'b') && !number.pair) {
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number.bits);
    const bool known = error == std::errc() && end == word.data() + word.size() && number.bits <= 64;
    number.kind = known && number.bits > 0 ? Number::Kind::whole : Number::Kind::none;
    number.is_signed = word[0] == 's';
  }
  return number;
}

class Conversion {
 public:
  Conversion(PtxBuilder& builder, const PtxInstruction& instruction) : builder_(builder), instruction_(instruction) {}

  Value* run(const std::vector<Value*>& operands) {
    const std::size_t words = instruction_.opcode.size();
    if (instruction_.has("pack")) return packed(operands);
    if (words < 3 || operands.empty()) return nullptr;
    to_ = number_named(instruction_.opcode[words - 2]);
    from_ = number_named(instruction_.opcode[words - 1]);
    if (to_.kind == Number::Kind::none || from_.kind == Number::Kind::none || has("rs") || has("scaled"))
      return nullptr;
    if (!to_.pair) return from_.pair || operands.size() != 1 ? nullptr : one(operands[0]);
    // d, high, low; or d, pair.
    if (operands.size() != (from_.pair ? 1 : 2) || to_.kind == Number::Kind::whole) return nullptr;
    Value* both = nullptr;
    for (unsigned i = 0; i < 2; ++i) {
      Value* given = operands[from_.pair ? 0 : 1 - i];
      if (from_.pair) given = builder_.CreateLShr(ptx_resized(builder_, given, 2 * from_.bits), i * from_.bits);
      Value* made = one(given);
      if (made == nullptr) return nullptr;
      made = ptx_resized(builder_, made, 2 * to_.bits);
      both = i == 0 ? made : builder_.CreateOr(both, builder_.CreateShl(made, to_.bits));
    }
    return both;
  }

 private:
  bool has(std::string_view word) const { return instruction_.has(word); }
  Value* limit(const llvm::APInt& number) { return llvm::ConstantInt::get(builder_.getContext(), number); }

  Value* one(Value* given) {
    if (from_.kind == Number::Kind::whole) {
      given = ptx_resized(builder_, given, from_.bits);
      return to_.kind == Number::Kind::whole ? filled(clamped(given, from_.is_signed, to_, has("sat")))
                                             : written(of_whole(given), true);
    }
    Value* number = read(given);
    if (number == nullptr) return nullptr;
    return to_.kind == Number::Kind::whole ? to_whole(number) : written(number, false);
  }

  // A whole number in the bits of another type: cut, or the nearest that the type has.
  Value* clamped(Value* given, bool is_signed, const Number& to, bool saturates) {
    const unsigned bits = given->getType()->getIntegerBitWidth();
    llvm::Type* type = builder_.getIntNTy(to.bits);
    if (saturates) {
      llvm::Type* wide = builder_.getIntNTy(66);  // has all numbers of both, with signs
      Value* value = is_signed ? builder_.CreateSExt(given, wide) : builder_.CreateZExt(given, wide);
      const llvm::APInt least = to.is_signed ? llvm::APInt::getSignedMinValue(to.bits).sext(66) : llvm::APInt(66, 0);
      const llvm::APInt most =
          to.is_signed ? llvm::APInt::getSignedMaxValue(to.bits).sext(66) : llvm::APInt::getMaxValue(to.bits).zext(66);
      value = builder_.CreateBinaryIntrinsic(intrinsic::smax, value, limit(least));
      return builder_.CreateTrunc(builder_.CreateBinaryIntrinsic(intrinsic::smin, value, limit(most)), type);
    }
    if (to.bits <= bits) return builder_.CreateTrunc(given, type);
    return is_signed ? builder_.CreateSExt(given, type) : builder_.CreateZExt(given, type);
  }
  // Registers wider than a signed type hold its sign.
  Value* filled(Value* made) {
    return to_.is_signed && to_.bits < 64 ? builder_.CreateSExt(made, builder_.getInt64Ty()) : made;
  }

  // cvt.pack.sat.u8.s32.b32 d, a, b, c: b in the lowest bits, then a, then those of c.
  Value* packed(const std::vector<Value*>& operands) {
    if (instruction_.opcode.size() < 5 || !has("sat") || operands.size() < 2) return nullptr;
    const Number to = number_named(instruction_.opcode[3]), from = number_named(instruction_.opcode[4]);
    if (to.kind != Number::Kind::whole || from.kind != Number::Kind::whole || to.bits > 16) return nullptr;
    if ((operands.size() == 3) != (to.bits < 16)) return nullptr;
    auto part = [&](Value* given) {
      return ptx_resized(builder_, clamped(ptx_resized(builder_, given, from.bits), from.is_signed, to, true), 32);
    };
    Value* made = builder_.CreateOr(part(operands[1]), builder_.CreateShl(part(operands[0]), to.bits));
    if (to.bits == 16) return made;
    return builder_.CreateOr(made, builder_.CreateShl(ptx_resized(builder_, operands[2], 32), 2 * to.bits));
  }

  // As a float or a double.
  Value* read(Value* given) {
    if (from_.kind == Number::Kind::real) {
      Value* bits = ptx_resized(builder_, given, from_.bits);
      if (has("ftz") && from_.bits == 32) bits = ptx_flushed(builder_, bits, *from_.real);
      return ptx_number(builder_, bits, *from_.real);
    }
    if (from_.format == SmallFloat::tf32) return nullptr;
    const unsigned fraction = from_.format == SmallFloat::e4m3 ? 3 : 2;
    return ptx_call(builder_, "weakspot_tiny_to_float", builder_.getFloatTy(),
                    {ptx_resized(builder_, given, 8), builder_.getInt32(fraction)});
  }

  // As the result's type, or as a double that has all of it.
  Value* of_whole(Value* given) {
    const bool wide = from_.bits == 64, to_double = to_.bits == 64;
    const std::string mode = ptx_rounding(instruction_);
    llvm::Type* type =
        to_.bits == 32 && to_.kind == Number::Kind::real ? builder_.getFloatTy() : builder_.getDoubleTy();
    if (mode.empty() || to_.bits < 32) {
      return from_.is_signed ? builder_.CreateSIToFP(given, type) : builder_.CreateUIToFP(given, type);
    }
    llvm::Type* word = builder_.getIntNTy(wide ? 64 : 32);
    given = from_.is_signed ? builder_.CreateSExt(given, word) : builder_.CreateZExt(given, word);
    const std::string name = std::string(from_.is_signed ? "" : "u") + (wide ? "ll" : "int");
    return ptx_call(builder_, "__nv_" + name + (to_double ? "2double" : "2float") + mode, type, {given});
  }

  Value* with_fraction_cut(Value* number) {
    static constexpr std::pair<std::string_view, llvm::Intrinsic::ID> kModes[] = {
        {"rni", intrinsic::rint}, {"rzi", intrinsic::trunc}, {"rmi", intrinsic::floor}, {"rpi", intrinsic::ceil}};
    for (const auto& [mode, id] : kModes) {
      if (has(mode)) return builder_.CreateUnaryIntrinsic(id, number);
    }
    return number;
  }

  // The nearest that the type has. What is not a number is zero, except where one of both has 64 bits.
  Value* to_whole(Value* number) {
    number = with_fraction_cut(number);
    llvm::Type* type = builder_.getIntNTy(to_.bits);
    const llvm::Intrinsic::ID id = to_.is_signed ? intrinsic::fptosi_sat : intrinsic::fptoui_sat;
    Value* made = builder_.CreateIntrinsic(id, {type, number->getType()}, {number});
    if (to_.bits == 64 || from_.bits == 64) {
      Value* highest = limit(llvm::APInt::getSignedMinValue(to_.bits));
      made = builder_.CreateSelect(builder_.CreateFCmpUNO(number, number), highest, made);
    }
    return filled(made);
  }

  RoundTo how() const {
    if (has("rz")) return RoundTo::zero;
    if (has("rm")) return RoundTo::down;
    if (has("rp")) return RoundTo::up;
    return has("rna") ? RoundTo::away : RoundTo::nearest;
  }

  // A float or a double as the bits of the result.
  Value* written(Value* number, bool was_whole) {
    if (number == nullptr) return nullptr;
    number = with_fraction_cut(number);
    if (has("sat")) number = ptx_saturated(builder_, number);
    if (has("relu")) {
      Value* zero = llvm::ConstantFP::get(number->getType(), 0.0);
      number = builder_.CreateSelect(builder_.CreateFCmpOLT(number, zero), zero, number);
    }
    if (to_.kind == Number::Kind::real && to_.bits >= 32) return written_wide(number);
    if (was_whole && from_.bits == 64 && to_.format != SmallFloat::f16) return nullptr;  // rounds twice
    if (number->getType()->isDoubleTy()) number = ptx_float_to_odd(builder_, number);
    const bool plain = to_.kind == Number::Kind::real && how() == RoundTo::nearest && !has("satfinite");
    if (plain) return ptx_bits(builder_, number, *to_.real);
    Value* made =
        ptx_call(builder_, "weakspot_round_to_small", builder_.getInt32Ty(),
                 {number, builder_.getInt32(static_cast<std::uint32_t>(to_.format)),
                  builder_.getInt32(static_cast<std::uint32_t>(how())), builder_.getInt32(has("satfinite") ? 1 : 0)});
    return ptx_resized(builder_, made, to_.bits);
  }
  Value* written_wide(Value* number) {
    llvm::Type* type = to_.bits == 64 ? builder_.getDoubleTy() : builder_.getFloatTy();
    const std::string mode = ptx_rounding(instruction_);
    if (number->getType()->isDoubleTy() && to_.bits == 32 && !mode.empty()) {
      number = ptx_call(builder_, "__nv_double2float" + mode, type, {number});
    }
    Value* bits = ptx_bits(builder_, builder_.CreateFPCast(number, type), *to_.real);
    return has("ftz") && to_.bits == 32 ? ptx_flushed(builder_, bits, *to_.real) : bits;
  }

  PtxBuilder& builder_;
  const PtxInstruction& instruction_;
  Number to_, from_;
};

}  // namespace

Value* ptx_conversion(PtxBuilder& builder, const PtxInstruction& instruction, const std::vector<Value*>& operands) {
  return Conversion(builder, instruction).run(operands);
}

}  // namespace weakspot::race_jit

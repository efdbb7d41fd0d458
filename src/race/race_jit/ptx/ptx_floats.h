// SPDX-License-Identifier: MIT
// Floating-point instructions of PTX: arithmetic on f16, bf16, pairs of these, f32 and f64, with the rounding modes,
// .ftz and .sat. Numbers of sixteen bits are computed as float, which rounds as one operation of theirs would.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <string>
#include <vector>

#include "race_jit/ptx/inline_ptx.h"

namespace weakspot::race_jit {

using PtxBuilder = llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter>;

struct FloatKind {
  const char* name;
  unsigned bits;  // bits of one value
  bool pair;
  std::uint64_t exponent;  // the bits of the exponent
  bool is_bfloat() const { return name[0] == 'b'; }
};
// Null if the word is not one of these types.
const FloatKind* float_kind(const std::string& word);

// Integers of that many bits, cut or filled with zeros.
llvm::Value* ptx_resized(PtxBuilder& builder, llvm::Value* value, unsigned bits);
// A number, a float or a double, from its bits, and back.
llvm::Value* ptx_number(PtxBuilder& builder, llvm::Value* bits, const FloatKind& kind);
llvm::Value* ptx_bits(PtxBuilder& builder, llvm::Value* number, const FloatKind& kind);
// Bits of numbers too small to be normal become zeros with their sign.
llvm::Value* ptx_flushed(PtxBuilder& builder, llvm::Value* bits, const FloatKind& kind);
// From 0 to 1, which zero stands for whatever is not a number.
llvm::Value* ptx_saturated(PtxBuilder& builder, llvm::Value* number);
// A double as a float whose last bit is set if it is not the same number, so that rounding it once more rounds right.
llvm::Value* ptx_float_to_odd(PtxBuilder& builder, llvm::Value* number);
// A function without side effects of the machine or of the CUDA mathematical library.
llvm::Value* ptx_call(PtxBuilder& builder, const std::string& name, llvm::Type* result,
                      const std::vector<llvm::Value*>& arguments);
// "_rz" and so on of the mathematical library, for the modes that are not to the nearest; empty for these.
std::string ptx_rounding(const PtxInstruction& instruction);

// The floating-point type that the name of the instruction ends with, if it does.
std::optional<std::string> ptx_float_type(const PtxInstruction& instruction);

// Computes the result of the instruction from the bits of its operands, as bits; null if it is not understood.
llvm::Value* ptx_float_result(PtxBuilder& builder, const PtxInstruction& instruction,
                              const std::vector<llvm::Value*>& operands);

// A number of the text as the bits of a float or a double, by the size of the type; null for other sizes.
llvm::Constant* ptx_real(llvm::Type& type, double number);

}  // namespace weakspot::race_jit

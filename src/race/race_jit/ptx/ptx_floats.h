// SPDX-License-Identifier: MIT
// Floating-point instructions of inline PTX, as far as the headers of a CUDA toolkit use them: arithmetic, comparisons
// and conversions of f16, bf16, pairs of these, f32 and f64. Numbers of sixteen bits are computed as float.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <string>
#include <vector>

#include "race_jit/ptx/inline_ptx.h"

namespace weakspot::race_jit {

using PtxBuilder = llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter>;

// The floating-point type that the name of the instruction ends with, if it does.
std::optional<std::string> ptx_float_type(const PtxInstruction& instruction);

// Computes the result of the instruction from the bits of its operands, as bits; null if it is not understood.
llvm::Value* ptx_float_result(PtxBuilder& builder, const PtxInstruction& instruction,
                              const std::vector<llvm::Value*>& operands);

// A number of the text as the bits of a float or a double, by the size of the type; null for other sizes.
llvm::Constant* ptx_real(llvm::Type& type, double number);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// Integer instructions of inline PTX: arithmetic, logic, shifts, fields of bits, comparisons, conversions.
#pragma once

#include <functional>

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// Computes the result of the instruction; null if it is not understood. `operand` gives one of its operands as a type,
// or null. A predicate is a word that is 0 or 1, and so is the carry, null if nothing has set it.
llvm::Value* ptx_integer_result(PtxBuilder& builder, const PtxInstruction& instruction,
                                const std::function<llvm::Value*(std::size_t, llvm::Type*)>& operand,
                                llvm::Value*& carry);

}  // namespace weakspot::race_jit

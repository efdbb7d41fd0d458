// SPDX-License-Identifier: MIT
// set and setp of PTX: comparisons of whole numbers and numbers with a fraction, of pairs of halves, with a second
// result, and combined with a predicate.
#pragma once

#include <functional>

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// The results, as words of 0 or 1 from setp and as bits from set; none if the instruction is not understood. `operand`
// gives one of its operands as a type, or null.
std::vector<llvm::Value*> ptx_comparison(PtxBuilder& builder, const PtxInstruction& instruction,
                                         const std::function<llvm::Value*(std::size_t, llvm::Type*)>& operand);

}  // namespace weakspot::race_jit

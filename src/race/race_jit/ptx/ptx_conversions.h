// SPDX-License-Identifier: MIT
// cvt of PTX: between whole numbers, numbers with a fraction from 8 to 64 bits, and pairs of small ones, with all
// rounding modes, .sat, .satfinite, .relu and .ftz; and cvt.pack.
#pragma once

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// From the bits of the operands after the result; as bits, filled with the sign where the result has one. Null if the
// conversion is not understood.
llvm::Value* ptx_conversion(PtxBuilder& builder, const PtxInstruction& instruction,
                            const std::vector<llvm::Value*>& operands);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// How ldmatrix spreads the rows of matrices over the lanes of a warp.
#pragma once

#include <functional>
#include <vector>

#include "race_jit/lower/ptx_floats.h"

namespace weakspot::race_jit {

// What a lane gets of each of `count` matrices of 8 rows of 8 half words: two neighbours of row lane / 4, or of column
// lane / 4 if transposed. `row` is what the lane itself has read, four words; `from_lane` gives the value that another
// lane sends.
std::vector<llvm::Value*> matrix_fragments(PtxBuilder& builder, llvm::Value* row, llvm::Value* lane, unsigned count,
                                           bool transposed,
                                           const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& from_lane);

}  // namespace weakspot::race_jit

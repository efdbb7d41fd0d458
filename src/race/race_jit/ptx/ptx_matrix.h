// SPDX-License-Identifier: MIT
// Lowers ldmatrix, which spreads the rows of matrices over the lanes of a warp, stmatrix and movmatrix, mma, which
// multiplies matrices spread like that, and the choice of lanes that a shuffle reads.
#pragma once

#include <functional>
#include <vector>

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// A lane's part of each of `count` matrices of 8 rows of 8 half words: two neighbours of row lane / 4, or of column
// lane / 4 if transposed. `row` is what the lane itself has read, four words; `from_lane` gives the value that another
// lane sends.
std::vector<llvm::Value*> matrix_fragments(PtxBuilder& builder, llvm::Value* row, llvm::Value* lane, unsigned count,
                                           bool transposed,
                                           const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& from_lane);

// Two neighbours in a row of the transposed matrix whose words the lanes have, from column 2 * column on.
llvm::Value* transposed_word(PtxBuilder& builder, llvm::Value* word, llvm::Value* row, llvm::Value* column,
                             const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& from_lane);
// The other way round than matrix_fragments(): row lane % 8 of matrix lane / 8, four words.
llvm::Value* matrix_row(PtxBuilder& builder, const std::vector<llvm::Value*>& words, llvm::Value* lane, bool transposed,
                        const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& from_lane);

// mma.sync of shape m16n8 for numbers of 8, 16 and 32 bits: this lane's registers of the result, from its registers of
// both factors and of what is added, all as words. Nothing if the instruction is not understood.
std::vector<llvm::Value*> matrix_product(PtxBuilder& builder, const PtxInstruction& instruction,
                                         const std::vector<llvm::Value*>& left, const std::vector<llvm::Value*>& right,
                                         const std::vector<llvm::Value*>& added, llvm::Value* lane,
                                         const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& from_lane);

// Whether the lane that a shuffle (a ShuffleMode) reads is in its segment, as a word that is 0 or 1.
llvm::Value* shuffle_in_range(PtxBuilder& builder, int mode, llvm::Value* lane, llvm::Value* by, llvm::Value* clamp);

}  // namespace weakspot::race_jit

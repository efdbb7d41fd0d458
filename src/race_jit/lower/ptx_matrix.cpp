// SPDX-License-Identifier: MIT
#include "race_jit/lower/ptx_matrix.h"

namespace weakspot::race_jit {

using llvm::Value;

std::vector<Value*> matrix_fragments(PtxBuilder& builder, Value* row, Value* lane, unsigned count, bool transposed,
                                     const std::function<Value*(Value*, Value*)>& from_lane) {
  // The word at `index` of a row of matrix i: which lane wants which word is known to the receiver alone.
  auto word = [&](unsigned i, Value* of_row, Value* index) {
    Value* found = builder.getInt64(0);
    for (unsigned w = 0; w < 4; ++w) {
      Value* sent = builder.CreateZExt(builder.CreateExtractElement(row, w), builder.getInt64Ty());
      Value* got = from_lane(sent, builder.CreateAdd(of_row, builder.getInt32(8 * i)));
      found = builder.CreateSelect(builder.CreateICmpEQ(index, builder.getInt32(w)), got, found);
    }
    return builder.CreateTrunc(found, builder.getInt32Ty());
  };
  Value* quad = builder.CreateLShr(lane, 2);
  Value* inside = builder.CreateAnd(lane, 3);
  // The half word in column lane / 4 of row 2 * (lane % 4), or of the next.
  auto half = [&](unsigned i, unsigned next) {
    Value* at = word(i, builder.CreateOr(builder.CreateShl(inside, 1), next), builder.CreateLShr(quad, 1));
    Value* shift = builder.CreateShl(builder.CreateAnd(quad, 1), 4);
    return builder.CreateAnd(builder.CreateLShr(at, shift), 0xffff);
  };
  std::vector<Value*> fragments;
  for (unsigned i = 0; i < count; ++i) {
    if (!transposed) {
      fragments.push_back(word(i, quad, inside));
      continue;
    }
    Value* low = half(i, 0);
    fragments.push_back(builder.CreateOr(low, builder.CreateShl(half(i, 1), 16)));
  }
  return fragments;
}

}  // namespace weakspot::race_jit

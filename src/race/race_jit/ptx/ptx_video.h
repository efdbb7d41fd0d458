// SPDX-License-Identifier: MIT
// Arithmetic on the two half words or four bytes of a word: vadd2, vabsdiff4 and their like, which clang's intrinsics
// for CUDA (__vadd2, __vsadu4) consist of.
#pragma once

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

bool is_ptx_video(const PtxInstruction& instruction);

// Computes the result of the instruction from three words; null if it is not understood. All parts are selected, so the
// third word only counts where parts are added to it.
llvm::Value* ptx_video_result(PtxBuilder& builder, const PtxInstruction& instruction, llvm::Value* a, llvm::Value* b,
                              llvm::Value* c);

}  // namespace weakspot::race_jit

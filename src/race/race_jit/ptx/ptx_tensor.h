// SPDX-License-Identifier: MIT
// Lowers tcgen05: allocation of tensor memory, its loads and stores, products and copies, and what waits for them.
#pragma once

#include "race_jit/ptx/ptx_tools.h"

namespace weakspot::race_jit {

bool is_ptx_tensor(const PtxInstruction& instruction);
// False if the instruction is not understood: pairs of blocks, scales, sparsity, shifts, and rare shapes.
bool lower_ptx_tensor(const PtxInstruction& instruction, const PtxTools& with);

}  // namespace weakspot::race_jit

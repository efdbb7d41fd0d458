// SPDX-License-Identifier: MIT
// Translates the words of a PTX instruction about atomics and fences into the numbers that hooks take.
#pragma once

#include "race_jit/ptx/inline_ptx.h"

namespace weakspot::race_jit {

// A ScopeNumber and an OrderNumber.
int ptx_scope(const PtxInstruction& instruction);
int ptx_order(const PtxInstruction& instruction);
// A FenceNumber. membar is fence.sc, and a fence that names no order is fence.acq_rel.
int ptx_fence(const PtxInstruction& instruction);
// Whether a type of the name starts with this letter, as in "u32".
bool is_ptx_typed(const PtxInstruction& instruction, char letter);
// An AtomicOp; negative if there is none.
int ptx_atomic_operation(const PtxInstruction& instruction);

// A load or store with an order, one of several elements, and one that can be lowered.
bool is_ptx_strong(const PtxInstruction& instruction);
bool is_ptx_vector(const PtxInstruction& instruction);
bool is_ptx_access(const PtxInstruction& instruction);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// Fences of sequentially consistent accesses.
//
// memory_order_seq_cst promises one order of such accesses, and nothing about the accesses beside them. Compilers keep
// the promise by a fence in front of each of them, as CUDA's headers do, or behind each of them. A weaker access
// beside one may be right with the one and wrong with the other.
#pragma once

#include <optional>

#include "residual/residual.h"

namespace weakspot::prove {

// The residue if these fences stood behind their accesses; none if it has no such fence.
std::optional<residual::Residual> with_fences_behind(const residual::Residual& residual);

}  // namespace weakspot::prove

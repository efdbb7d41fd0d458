// SPDX-License-Identifier: MIT
// Kernels for languages whose jumps leave or repeat the innermost loop only (SPIR-V, WGSL).
//
// Blocks vanish. After a jump out of a block inside an If, the code that follows becomes the other branch; elsewhere a
// flag guards it. A jump out of several loops sets a flag and leaves them one by one.
#pragma once

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// An equivalent kernel without Blocks, in which every Break and Continue names the innermost loop around it.
Kernel single_level(const Kernel& kernel);

}  // namespace weakspot::codegen

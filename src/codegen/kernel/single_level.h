// Kernels for languages in which a jump leaves or repeats the innermost loop and nothing else (SPIR-V, WGSL).
//
// Blocks vanish: what follows a jump out of one becomes the other branch of an If where the jump stands in one, and is
// otherwise guarded by a flag. A jump out of several loops sets a flag and leaves them one by one.
#pragma once

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// Does the same as `kernel`; every Break and Continue names the innermost loop around it, and there is no Block.
Kernel single_level(const Kernel& kernel);

}  // namespace weakspot::codegen

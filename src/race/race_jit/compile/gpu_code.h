// SPDX-License-Identifier: MIT
// PTX for a GPU, of code that was compiled for the checker.
#pragma once

#include <string>

#include "base/result.h"
#include "race/architecture.h"

namespace weakspot::race_jit {

// The kernels of clang's bitcode as PTX with lines. Fails if they call what only the checker has: our headers make
// atomics, fences and warp operations calls of it.
base::Result<std::string> gpu_code_of(const std::string& bitcode, const race::Architecture& architecture);

}  // namespace weakspot::race_jit

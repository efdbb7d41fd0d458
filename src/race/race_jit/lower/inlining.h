// SPDX-License-Identifier: MIT
// Kernels as one function each: what they call is copied into them.
#pragma once

#include <llvm/IR/Module.h>

namespace weakspot::race_jit {

// Inlines every function that does not ask to stay one and does not call itself, at once or through others, turns stack
// slots into values and drops functions that nobody calls. No access to memory is moved or merged.
void inline_functions(llvm::Module& module);

}  // namespace weakspot::race_jit

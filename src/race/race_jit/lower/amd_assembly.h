// SPDX-License-Identifier: MIT
// Inline assembly for AMD's GPUs, as far as it waits and meets.
#pragma once

#include <llvm/IR/InlineAsm.h>

#include <optional>

namespace weakspot::race_jit {

// Instructions that compute nothing and touch no memory.
struct AmdAssembly {
  bool barrier = false;       // s_barrier, at which the threads of a block meet
  bool waits_shared = false;  // before it the thread waits for all its accesses to that memory
  bool waits_global = false;  // and the compiler moves no access across ("memory" is clobbered)
};

// None for any other instruction, and for several barriers.
std::optional<AmdAssembly> read_amd_assembly(const llvm::InlineAsm& assembly);

}  // namespace weakspot::race_jit

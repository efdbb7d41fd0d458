// SPDX-License-Identifier: MIT
// The layout of a module's shared variables in the memory of a block.
#pragma once

#include <llvm/IR/GlobalVariable.h>

#include <cstdint>
#include <vector>

namespace weakspot::race_jit {

struct SharedLayout {
  std::vector<std::uint64_t> offsets;  // by variable
  std::uint64_t size = 0;
};

// For variables with a size. They follow each other if all together fit into what a GPU gives to one kernel. If not,
// those of different kernels may have the same place.
SharedLayout lay_out_shared(const std::vector<llvm::GlobalVariable*>& variables);

}  // namespace weakspot::race_jit

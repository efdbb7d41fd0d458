// SPDX-License-Identifier: MIT
// The layout of a module's shared variables in the memory of a block.
#pragma once

#include <llvm/IR/GlobalVariable.h>

#include <cstdint>
#include <vector>

namespace weakspot::race_jit {

// The part of shared memory that the system keeps for itself, by the name of the registers that tell where it is. The
// toolkit's groups of several warps meet there; their plain accesses are not checked: they hand on by shuffles what one
// lane has acquired, which no program can change.
inline constexpr const char* kReservedShared = "%reserved_smem";

struct SharedLayout {
  std::vector<std::uint64_t> offsets;  // by variable
  std::uint64_t size = 0;
};

// For variables with a size. They follow each other if all together fit into what a GPU gives to one kernel. If not,
// those of different kernels may have the same place.
SharedLayout lay_out_shared(const std::vector<llvm::GlobalVariable*>& variables);

}  // namespace weakspot::race_jit

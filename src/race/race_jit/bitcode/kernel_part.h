// SPDX-License-Identifier: MIT
// Parts of a module, so that only kernels that are launched need be compiled.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>

namespace weakspot::race_jit {

// A copy of what these symbols need. They alone are visible from outside.
std::unique_ptr<llvm::Module> part_of(const llvm::Module& whole, const std::set<std::string>& symbols);

}  // namespace weakspot::race_jit

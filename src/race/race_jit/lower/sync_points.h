// SPDX-License-Identifier: MIT
// The operations of a module that synchronise, as its instrumented code calls them.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit {

// After lower_operations().
std::vector<SyncPoint> sync_points(const llvm::Module& module);

}  // namespace weakspot::race_jit

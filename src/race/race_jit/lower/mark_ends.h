// SPDX-License-Identifier: MIT
// Notes in the context of each thread where it ends, so that a barrier that waits for it in vain can report the place.
#pragma once

#include <llvm/IR/Module.h>

#include "race_jit/lower/site_table.h"

namespace weakspot::race_jit {

// In modules that have barriers of any kind. After operations are lowered, before accesses are instrumented.
void mark_ends(llvm::Module& module, SiteTable& sites);

}  // namespace weakspot::race_jit

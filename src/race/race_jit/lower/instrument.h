// SPDX-License-Identifier: MIT
// Puts a call of the checker before every access to memory that another thread could see.
#pragma once

#include <llvm/IR/Module.h>

#include "race_jit/lower/site_table.h"

namespace weakspot::race_jit {

// Plain accesses are checked in place where possible; with `plain`, every access is a call.
void instrument(llvm::Module& module, SiteTable& sites, bool plain);

}  // namespace weakspot::race_jit

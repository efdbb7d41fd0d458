// Where the threads of a kernel end: noted in their context before they do, for whoever waits for them in vain.
#pragma once

#include <llvm/IR/Module.h>

#include "race_jit/lower/site_table.h"

namespace weakspot::race_jit {

// In modules that have barriers of any kind. After operations are lowered, before accesses are instrumented.
void mark_ends(llvm::Module& module, SiteTable& sites);

}  // namespace weakspot::race_jit

// Puts a call of the checker before every access to memory that another thread could see.
#pragma once

#include <llvm/IR/Module.h>

#include "race_jit/site_table.h"

namespace weakspot::race_jit {

void instrument(llvm::Module& module, SiteTable& sites);

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
#include "workbench/ending.h"

namespace weakspot::workbench {

base::Diagnostic interrupted() { return base::error("interrupted", base::ErrorKind::cancelled); }

void add_problems(const base::Diagnostics& more, base::Diagnostics& problems, Ending& ending) {
  problems.insert(problems.end(), more.begin(), more.end());
  if (ending == Ending::fine) ending = ending_of(more);
}

}  // namespace weakspot::workbench

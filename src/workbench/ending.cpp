// SPDX-License-Identifier: MIT
#include "workbench/ending.h"

namespace weakspot::workbench {

base::Diagnostic interrupted() { return base::error("interrupted", base::ErrorKind::cancelled); }

Ending ending_of(base::ErrorKind kind) {
  switch (kind) {
    case base::ErrorKind::bad_input:
      return Ending::bad_input;
    case base::ErrorKind::device:
    case base::ErrorKind::environment:
      return Ending::failed;
    case base::ErrorKind::cancelled:
      return Ending::cancelled;
  }
  return Ending::failed;
}

Ending ending_of(const base::Diagnostics& errors) {
  return errors.empty() ? Ending::fine : ending_of(base::kind_of(errors));
}

void add_problems(const base::Diagnostics& more, base::Diagnostics& problems, Ending& ending) {
  problems.insert(problems.end(), more.begin(), more.end());
  if (ending == Ending::fine) ending = ending_of(more);
}

}  // namespace weakspot::workbench

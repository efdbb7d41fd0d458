// SPDX-License-Identifier: MIT
#include "base/job_ending.h"

namespace weakspot::base {

JobEnding ending_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return JobEnding::bad_input;
    case ErrorKind::device:
    case ErrorKind::environment:
      return JobEnding::failed;
    case ErrorKind::cancelled:
      return JobEnding::cancelled;
  }
  return JobEnding::failed;
}

JobEnding ending_of(const Diagnostics& errors) { return errors.empty() ? JobEnding::fine : ending_of(kind_of(errors)); }

}  // namespace weakspot::base

// SPDX-License-Identifier: MIT
// The endings of jobs of the workbench.
#pragma once

#include "base/job_ending.h"
#include "questions/stop.h"

namespace weakspot::workbench {

using Ending = base::JobEnding;
using base::ending_of;
using questions::is_stopped;
// The error of a job that ended so before it had any result.
base::Diagnostic interrupted();

// Problems found beside a job's own result, which then did not end fine.
void add_problems(const base::Diagnostics& more, base::Diagnostics& problems, Ending& ending);

}  // namespace weakspot::workbench

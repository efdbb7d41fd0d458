// SPDX-License-Identifier: MIT
// One report from those of several processes, for programs that weakspot-nvcc built.
#pragma once

#include <vector>

#include "race/report.h"

namespace weakspot::race {

// A cause that several processes met is one finding, with the sum of their counts. A kernel that one of them ran is
// exercised. A barrier is redundant only if all processes that ran the kernel say so.
Report merged_runs(const std::vector<FileReport>& runs);

}  // namespace weakspot::race

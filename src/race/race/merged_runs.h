// SPDX-License-Identifier: MIT
// One report from those of several processes, for programs that weakspot-nvcc built.
#pragma once

#include <string>
#include <vector>

#include "race/report.h"

namespace weakspot::race {

// The report of one process, with places relative to the working folder; none if it cannot be read.
FileReport read_run(const std::string& file);

// A cause that several processes met is one finding, with the sum of their counts. A kernel that one of them ran is
// exercised. A barrier is redundant only if all processes that ran the kernel say so.
Report merged_runs(const std::vector<FileReport>& runs);

}  // namespace weakspot::race

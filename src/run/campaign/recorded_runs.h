// SPDX-License-Identifier: MIT
// A device that is a file of run records: it answers a request from the rates of the recorded run of the same test in
// the same environment. The same request always has the same answer, so that campaigns can be tried, repeated and
// compared without hardware.
#pragma once

#include <memory>
#include <vector>

#include "campaign/runner.h"

namespace weakspot::campaign {

// Counts are drawn from Poisson processes by the seed of the request, and no time passes. A test or an environment that
// was not recorded is refused. The models and classes of outcomes are those of the records.
std::unique_ptr<Executor> recorded_executor(std::vector<RunRecord> records);

}  // namespace weakspot::campaign

// SPDX-License-Identifier: MIT
// Logs of cuda-litmus, a published study of PTX. Its script draws an environment, runs every test in it, and goes on
// with the next one:
//
//   Compiling wrc-TB_0_1_2-SCOPE_DEVICE-NO_FENCE-RELAXED runner
//   Iteration: 0
//     Test wrc-TB_0_1_2-SCOPE_DEVICE-NO_FENCE-RELAXED weak: 12, total: 20882000, rate: 48 per second
//
// An iteration is an environment. Its parameters are not in the log. `weak` counts the outcome that the kernel asks
// for, whether a model allows it or not; what else was seen is not told apart. The time of a run is only there as a
// rate in whole sightings per second, so a test that was not seen, or less often than that, has no time.
#pragma once

#include <string>
#include <string_view>

#include "analysis/study.h"
#include "base/result.h"

namespace weakspot::analysis {

// Whether the text has a line of such a log near its beginning.
bool looks_like_cuda_litmus_log(std::string_view text);

// Several logs may stand one after the other: the first iteration of each begins a new run.
base::Result<DeviceResults> read_cuda_litmus_log(const base::Source& log, const std::string& device);

}  // namespace weakspot::analysis

// SPDX-License-Identifier: MIT
// Reads the results of one device as JSON, in the form that the MC Mutants and GPUHarbor studies published:
//
//   {"0": {TEST: {"seq": n, "interleaved": n, "weak": n, "durationSeconds": s}, ..., "params": {NAME: n, ...}},
//    "1": ...,
//    "platformInfo": {"gpu": {"vendor", "architecture", "device", "description"}, ...}, "randomSeed": ...}
//
// In a file with a platformInfo, an entry with a single test is a run of a conformance test and not of tuning. Other
// keys that are not numbers are skipped.
#pragma once

#include <string>
#include <string_view>

#include "analysis/study.h"
#include "base/result.h"

namespace weakspot::analysis {

// `file` names the text in messages; `device` is the name if the text does not give one. All wrong cells are reported.
base::Result<DeviceResults> read_results_json(const std::string& file, std::string_view text,
                                              const std::string& device);

}  // namespace weakspot::analysis

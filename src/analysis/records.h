// SPDX-License-Identifier: MIT
// Turns our own records of runs (campaign/run_record.h) into results of devices. The key of an environment is the text
// of its parameters. The sightings of a mutant are the outcomes that satisfy its condition, those of a conformance test
// the outcomes that the model forbids. Runs of a test in one environment on one device are added up; runs that were
// refused or failed have no counts and are left out.
#pragma once

#include <string>
#include <vector>

#include "analysis/study.h"
#include "base/result.h"
#include "campaign/run_record.h"

namespace weakspot::analysis {

std::vector<DeviceResults> results_of(const std::string& file, const std::vector<campaign::RunRecord>& records);

base::Result<std::vector<DeviceResults>> read_run_records(const std::string& file);

}  // namespace weakspot::analysis

// Our own records of runs (campaign/run_record.h) as results of devices. A device is one that the records name; an
// environment is its parameters, written as a text; what a mutant is there to show are the outcomes that satisfy its
// condition, and of a conformance test those that the model forbids. Several runs of a test in one environment on one
// device are added up; records of runs that were refused or failed hold no counts and are left out.
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

// SPDX-License-Identifier: MIT
// Records of runs, from a file or from a store.
#pragma once

#include <string>
#include <vector>

#include "analysis/study.h"
#include "base/result.h"
#include "campaign/run_record.h"
#include "store/result_store.h"

namespace weakspot::analysis {

// The runs of a store that the filter takes, in the order in which they were stored.
base::Result<std::vector<campaign::RunRecord>> read_stored_runs(const std::string& place,
                                                                store::RecordFilter filter = {});

// Results of the devices of a fleet, from runs and from searches. A device of a campaign goes by the name of its
// machine and its id (host/cuda:0), others by their id.
struct StoredResults {
  std::vector<DeviceResults> runs;
  std::vector<DeviceResults> searches;
};
base::Result<StoredResults> read_stored_results(const std::string& place);

// The records of a file as 'run --out' writes it, or of a store.
base::Result<std::vector<campaign::RunRecord>> read_runs(const std::string& place);

}  // namespace weakspot::analysis

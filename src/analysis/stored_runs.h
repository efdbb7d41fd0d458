// SPDX-License-Identifier: MIT
// Records of runs, from a file or from a store.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/run_record.h"
#include "store/result_store.h"

namespace weakspot::analysis {

// The runs of a store that the filter takes, in the order in which they were stored.
base::Result<std::vector<campaign::RunRecord>> read_stored_runs(const std::string& place,
                                                                store::RecordFilter filter = {});

// The records of a file as 'run --out' writes it, or of a store.
base::Result<std::vector<campaign::RunRecord>> read_runs(const std::string& place);

}  // namespace weakspot::analysis

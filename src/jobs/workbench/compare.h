// SPDX-License-Identifier: MIT
// Tells whether two sets of runs saw outcomes equally often.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/compare.h"
#include "campaign/run_record.h"

namespace weakspot::workbench {

struct CompareRequest {
  // One or two files of records. One file alone is split by its two devices, or else by its two environments.
  std::vector<std::string> files;
  std::vector<std::string> devices;       // one for both sides, or one for each; empty: all
  std::vector<std::string> environments;  // the same, as parse_environment() takes them
  campaign::CompareOptions options;
};

struct CompareSide {
  std::string file;
  std::string device, environment;  // what was chosen from the file; empty: all
  std::vector<campaign::RunRecord> records;

  // The file, and what was chosen from it. Without names, the environment is told by its settings.
  std::string name(campaign::EnvironmentNames* names = nullptr) const;
};

struct CompareResult {
  CompareSide a, b;
  campaign::Comparison comparison;  // at least one outcome
  std::size_t different = 0;        // outcomes that differ
};

base::Result<CompareResult> compare(const CompareRequest& request);

}  // namespace weakspot::workbench

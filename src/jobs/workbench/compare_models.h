// SPDX-License-Identifier: MIT
// Finds the tests that tell two memory models apart, and what in the models does it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {

struct CompareModelsRequest {
  std::string first, second;       // names or paths
  std::vector<std::string> tests;  // as for_each_test() takes them; none: the corpus
  // Compares on every test made of a critical cycle of up to this many accesses instead; 0: on `tests`.
  std::size_t events = 0;
  std::string config_file;  // a search with another vocabulary than the default; empty: none
};

// Why one model forbids an execution that the other allows.
struct DifferenceCause {
  bool first_allows = false;           // and the second forbids; else the other way round
  std::string check;                   // check of the model that forbids; empty if not found in time
  std::vector<std::string> relations;  // in the failed check's chain, each once, sorted

  friend auto operator<=>(const DifferenceCause&, const DifferenceCause&) = default;
};

struct ModelDifference {
  TestInput input;  // the file is empty for a test that was enumerated
  DifferenceCause cause;
};

struct CauseCount {
  DifferenceCause cause;
  std::size_t tests = 0;
  std::size_t example = 0;  // the smallest test, in `differences`
};

struct CompareModelsResult {
  std::vector<ModelDifference> differences;  // the smallest tests first
  std::vector<CauseCount> causes;            // the most frequent first
  std::size_t agreed = 0;
  std::size_t unknown = 0;   // a model could not tell in time
  base::Diagnostics errors;  // for inputs that could not be read

  std::size_t compared() const { return agreed + differences.size() + unknown; }
};

base::Result<CompareModelsResult> compare_models(const CompareModelsRequest& request);

}  // namespace weakspot::workbench

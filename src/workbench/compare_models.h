// SPDX-License-Identifier: MIT
// Finds the tests that tell two memory models apart.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {

struct CompareModelsRequest {
  std::string first, second;       // names or paths
  std::vector<std::string> tests;  // as for_each_test() takes them; none: the corpus
};

struct ModelDifference {
  TestInput input;
  bool first_allows = false;  // and the second forbids; else the other way round
};

struct CompareModelsResult {
  std::vector<ModelDifference> differences;  // the smallest tests first
  std::size_t agreed = 0;
  std::size_t unknown = 0;   // a model could not tell in time
  base::Diagnostics errors;  // of inputs that could not be read
};

base::Result<CompareModelsResult> compare_models(const CompareModelsRequest& request);

}  // namespace weakspot::workbench

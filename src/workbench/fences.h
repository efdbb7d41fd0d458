// SPDX-License-Identifier: MIT
// What would forbid the outcomes of many tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "desk/fences.h"
#include "litmus/test.h"

namespace weakspot::workbench {

struct FencesRequest {
  std::vector<std::string> tests;            // as for_each_test() takes them
  std::vector<std::string> models;           // names or paths; none: see desk::judging_model()
  std::vector<std::string> include_folders;  // for cat files
  desk::FencesOptions options;
};

struct FencesResult {
  base::Diagnostics errors;  // tests that could not be read or that a model does not understand
};

// Fails, before anything is judged, if a model of the request cannot be read.
base::Result<FencesResult> fences(const FencesRequest& request,
                                  const std::function<void(const desk::FencesOf&)>& visit);

}  // namespace weakspot::workbench

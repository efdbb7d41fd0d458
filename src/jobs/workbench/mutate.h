// SPDX-License-Identifier: MIT
// Disrupts tests.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "desk/make_tests.h"

namespace weakspot::workbench {

struct MutateRequest {
  std::vector<std::string> tests;  // as for_each_test() takes them
  desk::MutateOptions options;
};

struct MutateResult {
  std::size_t dropped = 0;
  base::Diagnostics errors;  // of inputs that could not be read
};

base::Result<MutateResult> mutate_tests(const MutateRequest& request, const desk::TestSink& sink);

}  // namespace weakspot::workbench

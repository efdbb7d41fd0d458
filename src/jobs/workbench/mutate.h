// SPDX-License-Identifier: MIT
// Disrupts tests.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "questions/make_tests.h"

namespace weakspot::workbench {

struct MutateRequest {
  std::vector<std::string> tests;  // as for_each_test() takes them
  questions::MutateOptions options;
};

struct MutateResult {
  std::size_t dropped = 0;
  base::Diagnostics errors;  // for inputs that could not be read
};

base::Result<MutateResult> mutate_tests(const MutateRequest& request, const questions::TestSink& sink);

}  // namespace weakspot::workbench

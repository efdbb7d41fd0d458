// SPDX-License-Identifier: MIT
// Tests compiled by the user's compilers, and whether the code keeps what the language promises.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/check.h"
#include "workbench/ending.h"

namespace weakspot::workbench {

struct CompileCheckRequest {
  std::vector<std::string> tests;   // as for_each_test() takes them
  std::vector<std::string> suites;  // names of generated suites
  compile::CheckOptions options;
  std::size_t minimal = 10;  // unsound tests to find the smallest part of, small ones first
};

struct CompileCheckResult {
  std::vector<compile::Checked> checked;  // in the order of the tests
  std::vector<std::string> files;         // file of each; empty for tests of suites
  std::vector<std::string> warnings;      // from the compilers
  std::size_t compiler_calls = 0;
  base::Diagnostics errors;  // tests that could not be read
  Ending ending = Ending::fine;
};

// Fails if a model or a suite does not exist.
base::Result<CompileCheckResult> compile_check(const CompileCheckRequest& request);

}  // namespace weakspot::workbench

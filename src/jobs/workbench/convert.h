// SPDX-License-Identifier: MIT
// Writes tests in another dialect.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "litmus/dialect.h"
#include "workbench/inputs.h"
#include "workbench/left_out.h"

namespace weakspot::workbench {

struct ConvertRequest {
  std::vector<std::string> tests;  // as for_each_test() takes them
  litmus::Dialect dialect = litmus::Dialect::canonical;
  std::string folder;  // gets a file for each test, and an index; empty: none
};

struct ConvertedTest {
  TestInput input;
  std::string text;
};

struct ConvertResult {
  std::vector<ConvertedTest> tests;
  LeftOut left_out;
  base::Diagnostics errors;  // for inputs that cannot be read and files that cannot be written
};

ConvertResult convert(const ConvertRequest& request);

}  // namespace weakspot::workbench

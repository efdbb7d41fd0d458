// SPDX-License-Identifier: MIT
// Checks whether the code that a device makes of tests still is those tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "litmus/test.h"
#include "optcheck/verdict.h"
#include "workbench/ending.h"

namespace weakspot::workbench {

struct OptcheckRequest {
  std::vector<std::string> tests;  // as for_each_test() takes them
  std::string device;              // an id; empty: the first GPU, or the first device
  std::string environment;         // as read_environments() takes it; empty: the device's own
};

struct CheckedTest {
  litmus::LitmusTest test;
  std::string device;
  std::string environment;
  optcheck::CodeCheck check;
};

// In the order of the tests. A test that the device cannot run is unknown, with the reason. `ended` is told how many
// tests are done, by any thread; if it returns false, the rest is left out.
base::Result<std::vector<CheckedTest>> check_tests(const OptcheckRequest& request,
                                                   const std::function<bool(std::size_t done, std::size_t all)>& ended);

// The output of `weakspot optcheck --json` for a test.
base::JsonValue optcheck_json(const CheckedTest& checked);

// A changed test is a finding.
Ending optcheck_ending(const std::vector<CheckedTest>& checked);

}  // namespace weakspot::workbench

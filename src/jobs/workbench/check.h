// SPDX-License-Identifier: MIT
// Asks memory models whether tests' conditions can be reached.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/judge.h"
#include "questions/test_verdict.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::workbench {

struct TestsAndModels {
  std::vector<std::string> tests;            // as for_each_test() takes them
  std::vector<std::string> models;           // names or paths; none: see questions::judging_model()
  std::vector<std::string> include_folders;  // for cat files
  std::string bell;                          // a file of definitions that come before each model; empty: none
};

struct CheckRequest : TestsAndModels {
  model::JudgeOptions options;
};

struct CheckResult {
  // Tests that could not be read or that a model does not understand, and verdicts that contradict Expect.
  base::Diagnostics errors;
};

// Each test is judged as it is read, so a batch may be of any length. Fails, before anything is judged, if a model of
// the request cannot be read.
base::Result<CheckResult> check(const CheckRequest& request,
                                const std::function<void(const questions::TestVerdict&)>& visit);

}  // namespace weakspot::workbench

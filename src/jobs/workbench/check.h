// SPDX-License-Identifier: MIT
// Asks memory models whether tests' conditions can be reached.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "desk/judged.h"
#include "litmus/test.h"
#include "model/foreign_words.h"
#include "model/judge.h"

namespace weakspot::workbench {

struct CheckRequest {
  std::vector<std::string> tests;            // as for_each_test() takes them
  std::vector<std::string> models;           // names or paths; none: see desk::judging_model()
  std::vector<std::string> include_folders;  // for cat files
  std::string bell;                          // a file of definitions that come before each model; empty: none
  model::JudgeOptions options;
};

struct CheckResult {
  // Tests that could not be read or that a model does not understand, and verdicts that contradict Expect.
  base::Diagnostics errors;
};

// The error that a model has no meaning for an instruction of the test, at its place where the text of the test can be
// read again.
base::Diagnostic foreign_error(const model::ForeignWord& word, const litmus::LitmusTest& test, const std::string& file);

// Each test is judged as it is read, so a batch may be of any length. Fails, before anything is judged, if a model of
// the request cannot be read.
base::Result<CheckResult> check(const CheckRequest& request, const std::function<void(const desk::Judged&)>& visit);

}  // namespace weakspot::workbench

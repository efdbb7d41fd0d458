// SPDX-License-Identifier: MIT
// The verdict of a model on a test, and what to say of it.
#pragma once

#include <optional>
#include <string>

#include "json/json.h"
#include "litmus/test.h"
#include "model/judge.h"
#include "model/library.h"
#include "questions/ask_models.h"
#include "questions/model_choice.h"

namespace weakspot::questions {

// One test judged by one model. The references are valid as long as what they refer to.
struct TestVerdict {
  const litmus::LitmusTest& test;
  const std::string& model_name;
  const model::Model& model;
  model::Verdict verdict;
  std::optional<Contradiction> contradicted;  // set if the verdict contradicts the test's Expect line
  std::string file;                           // the test's file; "-" for standard input
};

TestVerdict judge(const TestAndModel& asked, std::string file, const model::JudgeOptions& options);

// Why the verdict is what it is: indented lines. The verdict was made with JudgeOptions::explain.
std::string explanation(const TestVerdict& judged, const model::Limits& limits);

// An entry of `models --json`.
base::JsonValue model_json(const model::ModelEntry& entry);
// An entry of `check --json`.
base::JsonValue verdict_json(const TestVerdict& judged);

}  // namespace weakspot::questions

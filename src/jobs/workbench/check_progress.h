// SPDX-License-Identifier: MIT
// Asks whether tests always end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/progress.h"
#include "workbench/check.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::workbench {

// One test under one memory model and one progress model. The references are valid during the call only.
struct ProgressAnswer {
  const litmus::LitmusTest& test;
  const std::string& model_name;
  model::Progress progress;
  const model::ProgressVerdict& verdict;
};

// Like check(), but uses only the limits of the request's options.
base::Result<CheckResult> check_progress(const CheckRequest& request, const std::vector<model::Progress>& progress,
                                         const std::function<void(const ProgressAnswer&)>& visit);

}  // namespace weakspot::workbench

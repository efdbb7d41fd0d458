// SPDX-License-Identifier: MIT
// Searches for the fences that forbid the outcomes of many tests.
#pragma once

#include <functional>

#include "base/result.h"
#include "questions/fences.h"
#include "workbench/check.h"

namespace weakspot::workbench {

struct FencesRequest : TestsAndModels {
  questions::FencesOptions options;
};

// Fails, before anything is judged, if a model of the request cannot be read.
base::Result<CheckResult> fences(const FencesRequest& request,
                                 const std::function<void(const questions::FencesOf&)>& visit);

}  // namespace weakspot::workbench

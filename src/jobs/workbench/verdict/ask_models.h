// SPDX-License-Identifier: MIT
// The tests of a request put before its models.
#pragma once

#include <functional>
#include <string>

#include "questions/ask_models.h"
#include "workbench/check.h"

namespace weakspot::workbench {

using AskOfTest =
    std::function<void(const questions::TestAndModel& asked, const std::string& file, base::Diagnostics& errors)>;

// Asks about each test as it is read, so a batch may be of any length. The result has the errors of tests that cannot
// be read and of models that have no meaning for one. Fails, before anything is asked, if a model of the request cannot
// be read.
base::Result<CheckResult> ask_models(const TestsAndModels& request, const std::atomic<bool>* stop,
                                     const AskOfTest& ask);

}  // namespace weakspot::workbench

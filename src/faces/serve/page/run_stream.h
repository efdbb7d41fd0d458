// SPDX-License-Identifier: MIT
// A run that a page asked for: its order, and its progress as server-sent events.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "campaign/runner.h"
#include "http/server.h"
#include "workbench/run_tests.h"

namespace weakspot::serve {

inline constexpr double kMostSeconds = 3600;

// {"test": a text in any dialect, "device": "cpu:0", "seconds", and optionally "environment": as --env takes it, except
// files, "model": a name, "seed"}. Fails with all mistakes at once, also those in the text of the test.
base::Result<workbench::RunTestsRequest> read_order(const std::string& body);

// Runs the order and sends `started`, `progress` and `done`, each with a result as `weakspot run --json` has it, or
// `error`. Ends early if the other side leaves, or the server ends.
void stream_run(workbench::RunTestsRequest order, campaign::Executor& executor, const std::function<std::string()>& now,
                http::Answering& answer);

}  // namespace weakspot::serve

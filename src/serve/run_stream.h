// SPDX-License-Identifier: MIT
// A run that a page asked for: its order, and its progress as server-sent events.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "campaign/runner.h"
#include "http/loopback.h"

namespace weakspot::serve {

struct RunOrder {
  std::string test;         // the text, in any dialect
  std::string device;       // "cpu:0"
  std::string environment;  // as --env takes it, except files; empty: the best known one
  std::string model;        // a name; empty: the one that fits the device
  double seconds = 5;
  std::uint64_t seed = 1;
};

inline constexpr double kMostSeconds = 3600;

// All mistakes at once, also those in the text of the test.
base::Result<RunOrder> read_order(const std::string& body);
http::Response wrong_order(const base::Diagnostics& errors);

// "event: NAME" with the value in one line of data.
std::string event(std::string_view name, const base::JsonValue& data);

// Runs the order and sends `started`, `progress` and `done`, each with a result as `weakspot run --json` has it, or
// `error`. Ends early if the other side leaves, or at `stop`.
void stream_run(const RunOrder& order, campaign::Executor& executor, const std::function<std::string()>& now,
                const std::atomic<bool>& stop, http::Connection& connection);

}  // namespace weakspot::serve

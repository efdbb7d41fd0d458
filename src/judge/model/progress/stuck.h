// SPDX-License-Identifier: MIT
// The search for an execution in which threads are stuck, by the memory model.
//
// It is finite: a thread that goes round a loop for ever is shown with one round, which leaves nothing behind (see
// execution/spin.h), so that it can be repeated. It stands for ever if what it reads is last in coherence, apart from
// writes of such rounds, which write back what they read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/budget/allowance.h"
#include "model/cat_model.h"
#include "model/progress_model.h"

namespace weakspot::model {

struct StuckResult {
  std::optional<std::vector<std::string>> story;  // the execution that was found
  bool complete = true;                           // every execution was looked at
  bool bounded = false;                           // some loop leaves something behind, and was not followed further
  std::string reason;                             // why `complete` is false
};

StuckResult find_stuck(const litmus::LitmusTest& test, const Model& model, Progress progress, const Limits& limits,
                       Allowance& allowance);

}  // namespace weakspot::model

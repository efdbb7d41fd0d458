// SPDX-License-Identifier: MIT
// All interleavings of a test's threads, as a graph of states: finds runs that never end, also in loops that write.
//
// A state has the values of all locations and, for each thread, where it is and the registers that it will still read.
// A run that never ends goes round a cycle of states for ever. The threads that run in the cycle are those that are
// scheduled; the progress model says who else may wait.
//
// Every run is sequentially consistent, so what is found may happen under every weaker memory model as well. That
// nothing is found says something about a weaker model only if the test cannot tell the two apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/budget/allowance.h"
#include "model/progress_model.h"

namespace weakspot::model {

struct InterleavingResult {
  std::optional<std::vector<std::string>> story;  // the run that was found
  bool complete = true;                           // every run was looked at
  std::string reason;                             // why `complete` is false
};

InterleavingResult find_endless_run(const litmus::LitmusTest& test, Progress progress, Allowance& allowance);

// True if all accesses are atomic, cover whole locations, and have scopes that include every thread. Under a coherent
// memory model, each location by itself then behaves as in an interleaving.
bool is_coherent(const litmus::LitmusTest& test);
// True if, in addition, there is at most one location: then every execution is an interleaving.
bool is_interleaved(const litmus::LitmusTest& test);

}  // namespace weakspot::model

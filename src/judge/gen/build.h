// SPDX-License-Identifier: MIT
// From a cycle to the test that asks for it.
#pragma once

#include "base/result.h"
#include "gen/cycle.h"
#include "gen/layout.h"
#include "litmus/dialect.h"
#include "litmus/test.h"

namespace weakspot::gen {

struct TestOptions {
  // Decides what the cycle leaves open (orders, the strongest fence, whether threads are placed), and the dialect that
  // must be able to hold the test.
  litmus::Arch arch = litmus::Arch::generic;
  LayoutOptions layout;
  // Place the threads even where the cycle and the architecture leave the default.
  bool place_threads = false;
  std::string name;                    // name_of(cycle) if empty
  std::vector<std::string> locations;  // their names in order of appearance; x, y, z, ... beyond these
};

// The test of a cycle: its threads run the cycle's events, dependencies are real computations on registers, and the
// condition holds exactly in the executions that have the cycle (coherence is shown by final values, or by observer
// threads where a location has more than two writes to order). The cycle is kept as info "Cycle".
//
// Fails if the cycle has mistakes or the dialect of `arch` cannot express it; the message says what.
base::Result<litmus::LitmusTest> to_test(const Cycle& cycle, const TestOptions& options = {});

}  // namespace weakspot::gen

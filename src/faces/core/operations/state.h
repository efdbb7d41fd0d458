// SPDX-License-Identifier: MIT
// The core's memory from one request to the next: only what would cost time to make again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/test_program.h"
#include "litmus/test.h"
#include "model/library.h"
#include "model/model_shelf.h"
#include "stats/outcome_class.h"

namespace weakspot::core {

// A test that runs on the page's device.
struct RunningTest {
  litmus::LitmusTest test;
  codegen::TestProgram program;
  stats::Expected expected;
  std::optional<codegen::PlannedRun> planned;  // the last launch
};

struct State {
  model::ModelShelf shelf;
  std::vector<model::ModelEntry> models;  // empty until they are asked for
  std::map<std::uint64_t, RunningTest> programs;
  std::uint64_t last_handle = 0;
};

}  // namespace weakspot::core

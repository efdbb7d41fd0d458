// SPDX-License-Identifier: MIT
// A test with its proof: what a suite's file is written from.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/suite_program.h"
#include "litmus/test.h"
#include "model/model_shelf.h"
#include "questions/model_choice.h"

namespace weakspot::workbench {

// An outcome of the test, by its number in the program.
struct ProvedOutcome {
  std::string text;  // "0:r0=0; 1:r0=0;"
  bool allowed = false;
  std::string check;  // forbidden: a check of the model that an execution with it fails; empty if none ends so
};

struct ProvedTest {
  std::string name;
  std::string text;  // in the canonical form
  std::string model;
  std::vector<ProvedOutcome> outcomes;
  codegen::SuiteProgram program;
  // Mutants only. Their outcomes and their check are those of the test, so that a mutant that is killed fails.
  std::string mutant_of;
  std::string edge;  // the disruption: "fence of P0 removed"
};

// The test and then its mutants. `device` says what code is written and by which model it is judged.
base::Result<std::vector<ProvedTest>> prove(const litmus::LitmusTest& test, const questions::Platform& device,
                                            model::ModelShelf& shelf);

}  // namespace weakspot::workbench

// SPDX-License-Identifier: MIT
// The compiled form of a model, which Model hides and Evaluator runs.
#pragma once

#include "model/cat/cat_interpreter.h"
#include "model/cat_model.h"
#include "model/evaluate/schedule.h"

namespace weakspot::model {

struct Model::Program {
  std::string name;
  std::string description;
  bool partial_coherence = false;
  std::vector<std::string> variants;
  base::Diagnostics warnings;
  cat::Resolved text;
  std::vector<cat::CheckInfo> check_infos;
  std::vector<Model::Check> checks;
  // What must be known before the graph can be built. Above kConstant, it is built per frame or per candidate and not
  // kept here.
  Level needs = kConstant;
  cat::Built built;
  Schedule schedule;
};

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// The compiled form of a model, which Model hides and Evaluator runs.
#pragma once

#include <mutex>

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
  std::vector<Check> checks;
  // The level at which the graph can be built. Above kConstant it is built per frame or per candidate and not kept
  // here.
  Level needs = kConstant;
  cat::Built built;
  Schedule schedule;

  // The graph as the text has it, for explanations; made when it is first asked for. Only where needs == kConstant.
  const cat::Built& written() const {
    std::call_once(written_once, [&] { written_form = cat::build_as_written(text, check_infos, variants, nullptr); });
    return written_form;
  }

 private:
  mutable std::once_flag written_once;
  mutable cat::Built written_form;
};

}  // namespace weakspot::model
